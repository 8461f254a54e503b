import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { dataOf, rest } from '../../../app/api.ts';
import { toProblem } from '../../../app/problem.ts';
import { Button } from '../../../parts/button.tsx';
import { CheckboxField } from '../../../parts/checkbox-field.tsx';
import { Field } from '../../../parts/field.tsx';
import type { FormProps } from './dialogs.tsx';
import { mediaKey } from './media.ts';
import { strings } from './strings.ts';

/** Uploads an image to the library (spec: Media item; Case rules, 1). */
async function upload(site: string, file: File, alt: string, isDecorative: boolean) {
  const form = new FormData();
  if (isDecorative) form.set('decorative', 'true');
  else form.set('alt', alt);
  form.set('file', file, file.name);
  return dataOf(rest.POST('/sites/{site}/media', { params: { path: { site } }, body: form as never }));
}

/** The form of an image: it asks for the file and for its alternative text, or for the text alone when the image at `at` is edited. */
export function ImageForm({
  site,
  editor,
  onClose,
  file: given,
  at,
}: FormProps & { file: File | undefined; at: number | undefined }) {
  const client = useQueryClient();
  const shown = at === undefined ? undefined : editor.state.doc.nodeAt(at);
  const before = (shown?.attrs['alt'] ?? undefined) as string | undefined;
  const [file, setFile] = useState(given);
  const [alt, setAlt] = useState(before ?? '');
  const [isDecorative, setDecorative] = useState(before === '');
  const text = isDecorative ? '' : alt.trim();
  const send = useMutation({
    mutationFn: () => upload(site, file!, text, isDecorative),
    onSuccess(record) {
      client.setQueryData(mediaKey(site, record.id), record);
      editor
        .chain()
        .focus()
        .insertContent({ type: 'image', attrs: { src: `media:${record.id}`, alt: text } })
        .run();
      onClose();
    },
  });
  const save = () => {
    editor.view.dispatch(editor.state.tr.setNodeAttribute(at!, 'alt', text));
    onClose();
  };
  const isComplete = (shown || file) && (isDecorative || text !== '');
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) shown ? save() : send.mutate();
      }}
    >
      {!shown && (
        <div className="field">
          <FileTrigger acceptedFileTypes={['image/*']} onSelect={(files) => setFile(files?.[0])}>
            <Button autoFocus={!file}>{file ? file.name : strings.chooseFile}</Button>
          </FileTrigger>
        </div>
      )}
      <Field
        label={strings.alt}
        description={strings.altHint}
        value={isDecorative ? '' : alt}
        onChange={setAlt}
        isDisabled={isDecorative}
        isRequired={!isDecorative}
        autoFocus={file !== undefined || shown !== undefined}
        maxLength={2000}
      />
      <CheckboxField label={strings.decorative} value={isDecorative} onChange={setDecorative} />
      {send.error && (
        <p className="form-problem" role="alert">
          {toProblem(send.error).message}
        </p>
      )}
      <div>
        <Button type="submit" variant="primary" isPending={send.isPending} isDisabled={!isComplete}>
          {shown ? strings.save : strings.upload}
        </Button>
      </div>
    </form>
  );
}
