import { useState } from 'react';
import { describeBytes } from '../../app/format.ts';
import { Button } from '../../parts/button.tsx';
import { CheckboxField } from '../../parts/checkbox-field.tsx';
import { Field } from '../../parts/field.tsx';
import { strings } from './strings.ts';
import type { ChosenFile } from './use-uploads.ts';

const isImage = ({ type }: File): boolean => type.startsWith('image/');
const isDescribed = ({ file, alt, decorative }: ChosenFile): boolean =>
  !isImage(file) || decorative || alt.trim() !== '';

/** Asks for the alternative text of each chosen image, and starts the uploads. */
export function UploadForm({ files, onStart }: { files: readonly File[]; onStart: (chosen: ChosenFile[]) => void }) {
  const [chosen, setChosen] = useState<ChosenFile[]>(() => files.map((file) => ({ file, alt: '', decorative: false })));
  const [isChecked, setChecked] = useState(false);
  const change = (index: number, members: Partial<ChosenFile>) =>
    setChosen(chosen.map((one, at) => (at === index ? { ...one, ...members } : one)));
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.every(isDescribed)) onStart(chosen);
        else setChecked(true);
      }}
    >
      <ul className="rows">
        {chosen.map(({ file, alt, decorative }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and two files may have one name
          <li key={index}>
            <div className="upload-file">
              <strong>{file.name}</strong>
              <small>{describeBytes(file.size)}</small>
              {isImage(file) && (
                <>
                  <Field
                    label={strings.alt}
                    value={alt}
                    isDisabled={decorative}
                    onChange={(value) => change(index, { alt: value })}
                    maxLength={2000}
                  />
                  <CheckboxField
                    label={strings.decorative}
                    value={decorative}
                    onChange={(value) => change(index, { decorative: value })}
                  />
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {isChecked && !chosen.every(isDescribed) && (
        <p className="form-problem" role="alert">
          {strings.needAlt}
        </p>
      )}
      <div>
        <Button type="submit" variant="primary">
          {strings.start(chosen.length)}
        </Button>
      </div>
    </form>
  );
}
