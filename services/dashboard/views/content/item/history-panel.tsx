import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { dataOf, ifMatch, pageOf, rest } from '../../../app/api.ts';
import { Button } from '../../../parts/button.tsx';
import { notify, notifyProblem } from '../../../parts/notify.ts';
import { Pending } from '../../../parts/pending.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import { Time } from '../../../parts/time.tsx';
import { refreshContent } from '../list/bulk.ts';
import { itemKey } from './data.ts';
import type { PanelProps } from './panels.tsx';
import { strings } from './strings.ts';
import { TextChanges, textOf } from './text-changes.tsx';

/** Members that follow from others. */
const derived = new Set(['url', 'updated_at', 'warnings', 'revision']);

/** The revisions of an item, what changed since each of them, and the way back. */
export function HistoryPanel({ site, session, state: { item } }: PanelProps) {
  const client = useQueryClient();
  const [shown, setShown] = useState<string>();
  const path = { site, id: item.id };
  const revisions = useQuery({
    queryKey: [...itemKey(site, item.id), 'revisions', item.updated_at],
    queryFn: async ({ signal }) =>
      (
        await pageOf(
          rest.GET('/sites/{site}/content/{id}/revisions', { params: { path, query: { per_page: 50 } }, signal }),
        )
      ).data,
  });
  if (revisions.isPending) return <Pending />;
  if (revisions.error) return <ProblemView error={revisions.error} onRetry={() => void revisions.refetch()} />;
  const newest = revisions.data[0]?.rev;
  /** Returns whether it restored the revision: not before everything is saved, because the page is then read again. */
  const restore = async (rev: string): Promise<boolean> => {
    if (!(await session.save())) return false;
    await rest.POST('/sites/{site}/content/{id}/revisions/{rev}/restore', {
      params: { path: { ...path, rev } },
      headers: ifMatch(session.itemEtag),
    });
    await session.reload();
    await refreshContent(client, site);
    return true;
  };
  const restoreWithUndo = (rev: string) =>
    restore(rev).then((isRestored) => {
      // the page behind the dialog shows why not
      setShown(undefined);
      if (isRestored) notify(strings.restored, { undo: () => void restore(newest!).catch(notifyProblem) });
    }, notifyProblem);
  return (
    <>
      <ul className="revisions">
        {revisions.data.map(({ rev, created_at: at, by }) => (
          <li key={rev}>
            <span>
              <strong>{rev === newest ? strings.currentRevision : strings.revision(rev)}</strong>{' '}
              <small>
                <Time at={at} /> {nameOf(by) !== '' && strings.by(nameOf(by))}
              </small>
            </span>
            {rev !== newest && (
              <Button variant="quiet" onPress={() => setShown(rev)}>
                {strings.compare}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {shown !== undefined && newest !== undefined && (
        <ModalOverlay
          className="dialog-overlay"
          isOpen
          isDismissable
          onOpenChange={(isOpen) => !isOpen && setShown(undefined)}
        >
          <Modal className="dialog-box dialog-wide">
            <Dialog className="dialog">
              <Heading slot="title">{strings.revision(shown)}</Heading>
              <Comparison path={{ ...path, rev: newest }} rev={shown} />
              <div className="buttons">
                <Button variant="primary" onPress={() => void restoreWithUndo(shown)}>
                  {strings.restore}
                </Button>
                <Button onPress={() => setShown(undefined)}>{strings.close}</Button>
              </div>
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
    </>
  );
}

/** Who made a revision: the user, else the key or the part of the service. */
function nameOf(by: Record<string, unknown> | null): string {
  const { user, name, type } = by ?? {};
  return String(user ?? name ?? type ?? '');
}

/** What differs between a revision and the newest one. */
function Comparison({ path, rev }: { path: { site: string; id: string; rev: string }; rev: string }) {
  const comparison = useQuery({
    queryKey: [...itemKey(path.site, path.id), 'comparison', rev, path.rev],
    queryFn: ({ signal }) =>
      dataOf(
        rest.GET('/sites/{site}/content/{id}/revisions/{rev}', { params: { path, query: { compare: rev } }, signal }),
      ),
  });
  if (comparison.isPending) return <Pending />;
  if (comparison.error) return <ProblemView error={comparison.error} />;
  const changes = Object.entries(comparison.data.compared?.changes ?? {}).filter(([name]) => !derived.has(name));
  if (changes.length === 0) return <p>{strings.noDifference}</p>;
  return changes.map(([name, { from, to }]) => (
    <div key={name} className="conflict-member">
      <h3>{strings.members[name] ?? name}</h3>
      <TextChanges
        from={textOf(from)}
        to={textOf(to)}
        fromLabel={strings.revision(rev)}
        toLabel={strings.currentRevision}
      />
    </div>
  ));
}
