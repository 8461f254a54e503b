import type { ReactNode } from 'react';

/** A state in a word. */
export const Badge = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'bad';
  children: ReactNode;
}) => <span className={`badge badge-${tone}`}>{children}</span>;
