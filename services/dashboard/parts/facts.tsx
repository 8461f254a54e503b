import type { ReactNode } from 'react';

/** Names with their values. Entries without a value are left out. */
export const Facts = ({ entries }: { entries: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {entries
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
