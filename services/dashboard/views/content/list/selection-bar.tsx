import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { Toolbar } from 'react-aria-components/Toolbar';
import { Button, IconButton } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { notifyProblem } from '../../../parts/notify.ts';
import type { ListedItem } from '../content-view.ts';
import { strings } from '../strings.ts';
import type { BulkActions } from './bulk.ts';
import type { Selection } from './selection.ts';

/** What can be done with the selected items. */
export function SelectionBar({
  selection,
  actions,
  isTrash,
  total,
  readAll,
}: {
  selection: Selection;
  actions: BulkActions;
  isTrash: boolean;
  /** Number of items that match the filters. */
  total: number;
  readAll: (onProgress: (count: number) => void) => Promise<readonly ListedItem[]>;
}) {
  const [isBusy, setBusy] = useState(false);
  const [read, setRead] = useState<number>();
  const selectAll = async () => {
    setBusy(true);
    try {
      selection.add(await readAll(setRead));
    } catch (error) {
      notifyProblem(error);
    } finally {
      setRead(undefined);
      setBusy(false);
    }
  };
  const progress = actions.progress ?? (read === undefined ? undefined : { done: read, total });
  const run = async (action: (items: typeof selection.items) => Promise<void>) => {
    setBusy(true);
    await action(selection.items).finally(() => setBusy(false));
    selection.clear();
  };
  return (
    <Toolbar aria-label={strings.selection} className="selection-bar">
      <span aria-live="polite">
        {progress ? strings.progress(progress.done, progress.total) : strings.selected(selection.items.length)}
      </span>
      {selection.items.length < total && (
        <Button variant="quiet" isPending={isBusy} onPress={() => void selectAll()}>
          {strings.selectAll(total)}
        </Button>
      )}
      {isTrash ? (
        <Button isPending={isBusy} onPress={() => void run(actions.restore)}>
          {strings.restore}
        </Button>
      ) : (
        <>
          <Button isPending={isBusy} onPress={() => void run(actions.publish)}>
            {strings.publish}
          </Button>
          <Button isPending={isBusy} onPress={() => void run(actions.unpublish)}>
            {strings.unpublish}
          </Button>
          <TagButton isBusy={isBusy} onTag={(tag) => void run((items) => actions.addTag(items, tag))} />
          <Button variant="danger" isPending={isBusy} onPress={() => void run(actions.trash)}>
            {strings.moveToTrash}
          </Button>
        </>
      )}
      <IconButton label={strings.clearSelection} onPress={selection.clear}>
        <X aria-hidden size={16} />
      </IconButton>
    </Toolbar>
  );
}

function TagButton({ isBusy, onTag }: { isBusy: boolean; onTag: (tag: string) => void }) {
  return (
    <DialogTrigger>
      <Button isPending={isBusy}>{strings.addTag}</Button>
      <Popover className="popover">
        <Dialog className="popover-form" aria-label={strings.addTag}>
          {({ close }) => (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                const tag = String(new FormData(event.currentTarget).get('tag') ?? '').trim();
                if (tag === '') return;
                close();
                onTag(tag);
              }}
            >
              <Field label={strings.tagToAdd} name="tag" isRequired autoFocus maxLength={200} />
              <Button type="submit" variant="primary">
                {strings.addTag}
              </Button>
            </form>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
