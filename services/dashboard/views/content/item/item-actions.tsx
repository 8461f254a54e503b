import { useQueryClient } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import Eye from 'lucide-react/icons/eye';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import { dataOf, rest } from '../../../app/api.ts';
import { describeTime } from '../../../app/format.ts';
import { may, useMe } from '../../../app/session.ts';
import { Button } from '../../../parts/button.tsx';
import { notify, notifyProblem } from '../../../parts/notify.ts';
import { useSaveKey } from '../../../parts/use-save-key.ts';
import { refreshContent } from '../list/bulk.ts';
import { strings as contentStrings } from '../strings.ts';
import type { Members } from './draft-session.ts';
import type { EditorProps, Values } from './item-editor.tsx';
import { strings } from './strings.ts';
import { useItemCommands } from './use-item-commands.ts';

const isFuture = (time: string | null): time is string => time !== null && Date.parse(time) > Date.now();

/** What can be done with the item as a whole, and whether it is saved. */
export function ItemActions({
  site,
  session,
  state,
  values,
  mayWrite,
  onPublish,
}: EditorProps & { values: Values; mayWrite: boolean; onPublish: (job: string | undefined) => void }) {
  const client = useQueryClient();
  // a user who may change only their own items may not publish
  const mayPublish = may(useMe(), 'publish', site) !== 'none' && mayWrite;
  const [isBusy, setBusy] = useState(false);
  const { item, changes, saving } = state;
  const isLive = item.status === 'published';
  const hasChanges = Object.keys(changes).length > 0 || saving !== 'saved';

  /** Applies the draft with further members, then does what follows. */
  const apply = async (members: Members, after: () => Promise<void> | void) => {
    setBusy(true);
    try {
      if (await session.apply(members)) {
        await after();
        await refreshContent(client, site);
      }
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const publish = () => {
    onPublish(undefined);
    if (isFuture(values.scheduled_at) && values.status !== 'published')
      return apply({ status: 'scheduled' }, () =>
        notify(strings.scheduled(describeTime(values.scheduled_at!)), {
          undo: () => void apply({ status: 'draft' }, () => undefined),
        }),
      );
    return apply({ status: 'published', scheduled_at: null }, async () => {
      onPublish((await dataOf(rest.POST('/sites/{site}/publish', { params: { path: { site } } }))).job);
    });
  };
  const save = () => apply({}, () => notify(strings.savedItem));
  const unpublish = () => apply({ status: 'draft' }, () => notify(strings.unpublished));
  const preview = async () => {
    // opened before the request, because browsers block windows that open later
    const page = window.open('', '_blank');
    try {
      await session.save();
      const { url } = await dataOf(
        rest.POST('/sites/{site}/content/{id}/preview', { params: { path: { site, id: item.id } } }),
      );
      if (page) page.location.href = url;
    } catch (error) {
      page?.close();
      notifyProblem(error);
    }
  };
  const discard = async () => {
    const before = await session.discard();
    notify(strings.discarded, { undo: () => void session.reinstate(before) });
  };
  useSaveKey(() => void session.save());
  const isScheduling = isFuture(values.scheduled_at) && !isLive;
  const publishTitle = isLive ? strings.update : isScheduling ? strings.schedule : strings.publish;
  const isScheduled = isScheduling && item.status === 'scheduled' && !hasChanges;
  const canSave = mayWrite && !isLive;
  useItemCommands(
    isBusy
      ? []
      : [
          ...(mayPublish && !isScheduled ? [{ title: publishTitle, run: publish }] : []),
          ...(canSave && hasChanges ? [{ title: strings.save, run: save }] : []),
          { title: strings.preview, run: preview },
          ...(mayPublish && isLive ? [{ title: strings.unpublish, run: unpublish }] : []),
          ...(mayWrite && hasChanges ? [{ title: strings.discard, run: discard }] : []),
        ],
  );

  return (
    <div className="item-actions">
      <SaveState session={session} state={state} />
      {mayWrite && hasChanges && (
        <Button variant="quiet" className="icon-when-narrow" onPress={() => void discard()}>
          <Undo2 aria-hidden size={16} />
          <span>{strings.discard}</span>
        </Button>
      )}
      <Button className="icon-when-narrow" onPress={() => void preview()}>
        <Eye aria-hidden size={16} />
        <span>{strings.preview}</span>
      </Button>
      {isLive && (
        <a className="button button-plain icon-when-narrow" href={item.url} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden size={16} />
          <span>{strings.openLive}</span>
        </a>
      )}
      {mayPublish && isLive && (
        <Button isPending={isBusy} onPress={() => void unpublish()}>
          {strings.unpublish}
        </Button>
      )}
      {canSave && (
        <Button isPending={isBusy} isDisabled={!hasChanges} onPress={() => void save()}>
          {strings.save}
        </Button>
      )}
      {mayPublish && (
        <Button variant="primary" isPending={isBusy} isDisabled={isScheduled} onPress={() => void publish()}>
          {publishTitle}
        </Button>
      )}
    </div>
  );
}

function SaveState({ session, state }: Pick<EditorProps, 'session' | 'state'>) {
  const { item, changes, saving, problem } = state;
  const hasDraft = Object.keys(changes).length > 0;
  const text = {
    saving: strings.saving,
    dirty: strings.unsaved,
    failed: `${strings.notSaved} ${problem?.message ?? ''}`.trim(),
    saved: hasDraft ? strings.savedDraft : strings.noChanges,
  }[saving];
  return (
    <span className="item-state">
      <span className="status-badge" data-status={item.status}>
        {contentStrings.statuses[item.status]}
      </span>
      <span role="status" data-failed={saving === 'failed' || undefined}>
        {text}
      </span>
      {saving === 'failed' && (
        <Button variant="quiet" onPress={() => void session.save()}>
          {strings.retry}
        </Button>
      )}
    </span>
  );
}
