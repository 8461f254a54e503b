import { describeTime } from '../../app/format.ts';
import type { Delivery } from './integrations.ts';
import { strings } from './strings.ts';

type Entry = Delivery['timeline'][number];

const describeElapsed = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** Returns the further members of an entry, such as the reason of a failure. */
function describeDetails({ at, elapsed_ms, event, ...details }: Entry): string {
  const known = Object.entries(details).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return known.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`).join(', ');
}

/** The events of a delivery from its receipt to the live page, with the time since the receipt. */
export const Timeline = ({ entries }: { entries: readonly Entry[] }) => (
  <ol className="rows" aria-label={strings.timeline}>
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended, and two of them may be equal
      <li key={index}>
        <div>
          {strings.events[entry.event] ?? entry.event}
          {describeDetails(entry) !== '' && <small>{describeDetails(entry)}</small>}
        </div>
        <time dateTime={entry.at} title={describeTime(entry.at)}>
          {describeElapsed(entry.elapsed_ms)}
        </time>
      </li>
    ))}
  </ol>
);
