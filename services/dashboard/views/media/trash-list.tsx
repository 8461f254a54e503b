import { useState } from 'react';
import { rest } from '../../app/api.ts';
import type { Media } from '../../app/media.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog-box.tsx';
import { notify } from '../../parts/notify.ts';
import { Time } from '../../parts/time.tsx';
import { setTrashed } from './library.ts';
import { strings } from './strings.ts';

/** The trash: items are restored, or deleted permanently after a question. */
export function TrashList({
  site,
  items,
  canWrite,
  onChange,
}: {
  site: string;
  items: readonly Media[];
  canWrite: boolean;
  onChange: () => Promise<void>;
}) {
  const [purging, setPurging] = useState<Media>();
  const restore = async ({ id, filename }: Media) => {
    await setTrashed(site, id, false);
    await onChange();
    notify(strings.restored(filename));
  };
  const purge = async ({ id }: Media) => {
    await rest.DELETE('/sites/{site}/media/{id}/purge', { params: { path: { site, id } } });
    notify(strings.purged);
    await onChange();
  };
  if (items.length === 0) return <p>{strings.emptyTrash}</p>;
  return (
    <>
      <ul className="rows" aria-label={strings.trash}>
        {items.map((media) => (
          <li key={media.id}>
            <div>
              <strong>{media.filename}</strong>
              {media.trashed_at !== null && (
                <small>
                  <Time at={media.trashed_at} />
                </small>
              )}
            </div>
            {canWrite && (
              <div className="buttons">
                <ActionButton variant="quiet" aria-label={strings.restoreOf(media.filename)} run={() => restore(media)}>
                  {strings.restore}
                </ActionButton>
                <Button variant="quiet" aria-label={strings.purgeOf(media.filename)} onPress={() => setPurging(media)}>
                  {strings.purge}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {purging && (
        <ConfirmDialog
          title={strings.purgeTitle(purging.filename)}
          text={strings.purgeText}
          confirm={strings.purge}
          run={() => purge(purging)}
          onClose={() => setPurging(undefined)}
        />
      )}
    </>
  );
}
