import type { ReactNode } from 'react';

/** What a list shows while it is empty: what would be here, and the way to the first one. */
export const EmptyState = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <div className="empty-state">
    <span aria-hidden className="wordmark-stones" />
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
);
