import { Link } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { strings as shellStrings } from '../../../app/strings.ts';
import { Pending } from '../../../parts/pending.tsx';
import { Sheet } from '../../../parts/sheet.tsx';
import sheet from '../content.css?url';
import type { RichTextHandle } from '../editor/rich-text.tsx';
import { ConflictView } from './conflict-view.tsx';
import type { Rights } from './data.ts';
import type { DraftSession, DraftState, Members } from './draft-session.ts';
import { ItemActions } from './item-actions.tsx';
import { Panels } from './panels.tsx';
import { PublishFollow } from './publish-follow.tsx';
import { SourceText } from './source-text.tsx';
import { strings } from './strings.ts';

const RichText = lazy(() => import('../editor/rich-text.tsx'));

/** The values that the page shows: those of the item, with the changes of the draft. */
export type Values = DraftState['item'];

export interface EditorProps {
  site: string;
  session: DraftSession;
  state: DraftState;
}

/** The text of an item with everything about it. */
export function ItemEditor({ site, session, state, rights }: EditorProps & { rights: Rights }) {
  const { item, changes, version, conflict } = state;
  const values: Values = { ...item, ...changes } as Values;
  const change = (members: Members) => session.change(members);
  const mayWrite = rights.may_write;
  const [job, setJob] = useState<string>();
  const body = useRef<RichTextHandle>(undefined);
  // a new item is ready for writing; Enter in the title goes to the text, also before the editor is loaded
  const isFocusWanted = useRef(mayWrite && values.body_html === '');
  const [isSourceShown, setSourceShown] = useState(false);
  useEffect(() => {
    document.title = shellStrings.documentTitle(values.title);
  }, [values.title]);
  return (
    <div className="item-page">
      <Sheet url={sheet} />
      <header className="item-head">
        <Link to={`/sites/${site}/content`} className="item-back">
          <ArrowLeft aria-hidden size={16} />
          {strings.back}
        </Link>
        <ItemActions
          site={site}
          session={session}
          state={state}
          values={values}
          mayWrite={mayWrite}
          onPublish={setJob}
        />
      </header>
      {!mayWrite && (
        <p className="item-read-only" role="status">
          {strings.readOnly} {rights.reason}
        </p>
      )}
      {job !== undefined && <PublishFollow site={site} job={job} url={item.url} />}
      {conflict && <ConflictView session={session} state={state} conflict={conflict} />}
      <div className="item-columns" data-source={isSourceShown || undefined}>
        <div className="item-text">
          <h1 className="visually-hidden">{values.title}</h1>
          <textarea
            aria-label={strings.title}
            className="item-title"
            rows={1}
            maxLength={2000}
            readOnly={!mayWrite}
            value={values.title}
            onChange={(event) => change({ title: event.target.value.replace(/\n/g, ' ') })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              isFocusWanted.current = true;
              body.current?.focus();
            }}
          />
          <Suspense fallback={<Pending />}>
            <RichText
              key={version}
              site={site}
              html={values.body_html}
              onReady={(handle) => {
                body.current = handle;
                if (isFocusWanted.current) handle.focus();
              }}
              onChange={() => session.bodyChanged(() => body.current!.read())}
              isReadOnly={!mayWrite}
            />
          </Suspense>
        </div>
        {isSourceShown && item.translation_of !== null && <SourceText site={site} id={item.translation_of} />}
        <Panels
          site={site}
          session={session}
          state={state}
          values={values}
          change={change}
          mayWrite={mayWrite}
          isSourceShown={isSourceShown}
          onShowSource={setSourceShown}
        />
      </div>
    </div>
  );
}
