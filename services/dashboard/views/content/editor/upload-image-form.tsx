import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { dataOf, rest } from '../../../app/api.ts';
import { type Media, mediaQuery } from '../../../app/media.ts';
import { toProblem } from '../../../app/problem.ts';
import { AltFields, type AltText, isDescribed } from '../../../parts/alt-fields.tsx';
import { Button } from '../../../parts/button.tsx';
import { strings } from './strings.ts';

/** Uploads an image to the library (spec: Media item; Case rules, 1). */
async function upload(site: string, file: File, { text, isDecorative }: AltText) {
  const form = new FormData();
  if (isDecorative) form.set('decorative', 'true');
  else form.set('alt', text);
  form.set('file', file, file.name);
  return dataOf(rest.POST('/sites/{site}/media', { params: { path: { site } }, body: form as never }));
}

/** Asks for an image and its alternative text, and uploads it to the library. */
export function UploadImageForm({
  site,
  file: given,
  submit,
  onUploaded,
}: {
  site: string;
  file: File | undefined;
  /** The text of the button. */
  submit: string;
  onUploaded: (record: Media, alt: string) => void;
}) {
  const client = useQueryClient();
  const [file, setFile] = useState(given);
  const [alt, setAlt] = useState<AltText>({ text: '', isDecorative: false });
  const text = alt.isDecorative ? '' : alt.text.trim();
  const send = useMutation({
    mutationFn: () => upload(site, file!, { ...alt, text }),
    onSuccess(record) {
      client.setQueryData(mediaQuery(site, record.id).queryKey, record);
      onUploaded(record, text);
    },
  });
  const isComplete = file !== undefined && isDescribed(alt);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) send.mutate();
      }}
    >
      <div className="field">
        <FileTrigger acceptedFileTypes={['image/*']} onSelect={(files) => setFile(files?.[0])}>
          <Button autoFocus={!file}>{file ? file.name : strings.chooseFile}</Button>
        </FileTrigger>
      </div>
      <AltFields value={alt} onChange={setAlt} isRequired autoFocus={file !== undefined} />
      {send.error && (
        <p className="form-problem" role="alert">
          {toProblem(send.error).message}
        </p>
      )}
      <div>
        <Button type="submit" variant="primary" isPending={send.isPending} isDisabled={!isComplete}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
