import { useState } from 'react';
import { AltFields, type AltText, isDescribed } from '../../../parts/alt-fields.tsx';
import { Button } from '../../../parts/button.tsx';
import type { FormProps } from './dialogs.tsx';
import { strings } from './strings.ts';
import { UploadImageForm } from './upload-image-form.tsx';

/** The form of an image: it asks for the file and for its alternative text, or for the text alone when the image at `at` is edited. */
export function ImageForm({ file, at, ...props }: FormProps & { file: File | undefined; at: number | undefined }) {
  const { site, editor, onClose } = props;
  if (at !== undefined) return <EditForm {...props} at={at} />;
  return (
    <UploadImageForm
      site={site}
      file={file}
      submit={strings.upload}
      onUploaded={({ id }, alt) => {
        editor
          .chain()
          .focus()
          .insertContent({ type: 'image', attrs: { src: `media:${id}`, alt } })
          .run();
        onClose();
      }}
    />
  );
}

function EditForm({ editor, onClose, at }: FormProps & { at: number }) {
  const before = (editor.state.doc.nodeAt(at)?.attrs['alt'] ?? undefined) as string | undefined;
  const [alt, setAlt] = useState<AltText>({ text: before ?? '', isDecorative: before === '' });
  const text = alt.isDecorative ? '' : alt.text.trim();
  const isComplete = isDescribed(alt);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete) return;
        editor.view.dispatch(editor.state.tr.setNodeAttribute(at, 'alt', text));
        onClose();
      }}
    >
      <AltFields value={alt} onChange={setAlt} isRequired autoFocus />
      <div>
        <Button type="submit" variant="primary" isDisabled={!isComplete}>
          {strings.save}
        </Button>
      </div>
    </form>
  );
}
