import { type ReactNode, useEffect } from 'react';
import { strings } from '../../app/strings.ts';

/** The frame of the pages without navigation. */
export function Frame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = strings.documentTitle(title);
  }, [title]);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <p className="wordmark">
          <span aria-hidden className="wordmark-stones" />
          {strings.product}
        </p>
        <h1>{title}</h1>
        {lead !== undefined && <p className="page-lead">{lead}</p>}
        {children}
      </div>
    </main>
  );
}
