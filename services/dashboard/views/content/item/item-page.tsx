import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { Pending } from '../../../parts/pending.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import { createDraftRequests, type Rights, useRights, useStored } from './data.ts';
import { DraftSession } from './draft-session.ts';
import { ItemEditor } from './item-editor.tsx';
import { strings } from './strings.ts';

/** The page of an item: reads it with its pending draft, and starts the session of its editing. */
export default function ItemPage() {
  const { site, id } = useParams({ strict: false }) as { site: string; id: string };
  const stored = useStored(site, id);
  const rights = useRights(site, id);
  if (stored.isPending || (stored.data && rights.isPending)) return <Pending />;
  // a later read that fails must not take the editor away: it may have changes that are not saved
  if (stored.data === undefined) return <ProblemView error={stored.error} onRetry={() => void stored.refetch()} />;
  if (rights.data === undefined) return <ProblemView error={rights.error} onRetry={() => void rights.refetch()} />;
  return <ItemSession key={`${site}/${id}`} site={site} id={id} stored={stored.data} rights={rights.data} />;
}

type Stored = NonNullable<ReturnType<typeof useStored>['data']>;

function ItemSession({ site, id, stored, rights }: { site: string; id: string; stored: Stored; rights: Rights }) {
  const [session] = useState(() => new DraftSession(createDraftRequests(site, id), stored.item, stored.draft));
  const state = useSyncExternalStore(session.subscribe, session.state);
  const isDirty = useCallback(() => session.state().saving !== 'saved', [session]);
  const mustAsk = useCallback(async () => isDirty() && !(await session.save()), [session, isDirty]);
  useEffect(() => () => void session.save(), [session]);
  return (
    <>
      <ItemEditor site={site} session={session} state={state} rights={rights} />
      <LeaveGuard isDirty={isDirty} mustAsk={mustAsk} text={strings.leaveText} />
    </>
  );
}
