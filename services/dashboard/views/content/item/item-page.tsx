import { useParams } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Pending } from '../../../parts/pending.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import { createDraftRequests, useStored } from './data.ts';
import { DraftSession } from './draft-session.ts';
import { ItemEditor } from './item-editor.tsx';

/** The page of an item: reads it with its pending draft, and starts the session of its editing. */
export default function ItemPage() {
  const { site, id } = useParams({ strict: false }) as { site: string; id: string };
  const stored = useStored(site, id);
  if (stored.isPending) return <Pending />;
  if (stored.error) return <ProblemView error={stored.error} onRetry={() => void stored.refetch()} />;
  return <ItemSession key={`${site}/${id}`} site={site} id={id} stored={stored.data} />;
}

type Stored = NonNullable<ReturnType<typeof useStored>['data']>;

function ItemSession({ site, id, stored }: { site: string; id: string; stored: Stored }) {
  const [session] = useState(() => new DraftSession(createDraftRequests(site, id), stored.item, stored.draft));
  const state = useSyncExternalStore(session.subscribe, session.state);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (session.state().saving !== 'saved') event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      void session.save();
    };
  }, [session]);
  return <ItemEditor site={site} session={session} state={state} />;
}
