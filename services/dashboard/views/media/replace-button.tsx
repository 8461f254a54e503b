import { useMutation } from '@tanstack/react-query';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { rest } from '../../app/api.ts';
import type { Media } from '../../app/media.ts';
import { Button } from '../../parts/button.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

/** Brings back the file before the last replacement. */
export async function undoReplacement(site: string, id: string): Promise<void> {
  await rest.POST('/sites/{site}/media/{id}/undo-replacement', { params: { path: { site, id } } });
}

/** Chooses another file for an item, which keeps its id and its description. It can be undone. */
export function ReplaceButton({
  site,
  media: { id, kind },
  refresh,
}: {
  site: string;
  media: Media;
  refresh: () => Promise<void>;
}) {
  const replace = useMutation({
    async mutationFn(file: File) {
      const form = new FormData();
      form.set('file', file, file.name);
      await rest.POST('/sites/{site}/media/{id}/replace', { params: { path: { site, id } }, body: form as never });
      return file.name;
    },
    async onSuccess(name) {
      await refresh();
      const undo = async () => {
        await undoReplacement(site, id);
        await refresh();
      };
      notify(strings.replaced(name), { undo: () => void undo().catch(notifyProblem) });
    },
    onError: notifyProblem,
  });
  const types = kind === 'file' ? {} : { acceptedFileTypes: [`${kind}/*`] };
  return (
    <FileTrigger {...types} onSelect={(files) => files?.[0] && replace.mutate(files[0])}>
      <Button isPending={replace.isPending}>{strings.replace}</Button>
    </FileTrigger>
  );
}
