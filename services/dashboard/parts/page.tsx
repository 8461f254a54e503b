import { type ReactNode, useEffect } from 'react';
import { strings } from '../app/strings.ts';

/** A page: its title, what can be done with the whole of it, and its sections. Sets the title of the document. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  /** A line below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = strings.documentTitle(title);
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className="page-lead">{lead}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page. On wide screens its title and facts are in the margin column, as on the pages of the starter shell. */
export const Section = ({ title, facts, children }: { title: string; facts?: ReactNode; children: ReactNode }) => (
  <section className="section" aria-label={title}>
    <div className="section-margin">
      <h2>{title}</h2>
      {facts !== undefined && <div className="section-facts">{facts}</div>}
    </div>
    <div className="section-body">{children}</div>
  </section>
);
