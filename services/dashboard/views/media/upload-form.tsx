import { useState } from 'react';
import { describeBytes } from '../../app/format.ts';
import { AltFields, type AltText, isDescribed } from '../../parts/alt-fields.tsx';
import { Button } from '../../parts/button.tsx';
import { strings } from './strings.ts';
import type { ChosenFile } from './use-uploads.ts';

const isImage = ({ type }: File): boolean => type.startsWith('image/');
const isComplete = ({ file, alt }: ChosenFile): boolean => !isImage(file) || isDescribed(alt);

/** Asks for the alternative text of each chosen image, and starts the uploads. */
export function UploadForm({ files, onStart }: { files: readonly File[]; onStart: (chosen: ChosenFile[]) => void }) {
  const [chosen, setChosen] = useState<ChosenFile[]>(() =>
    files.map((file) => ({ file, alt: { text: '', isDecorative: false } })),
  );
  const [isChecked, setChecked] = useState(false);
  const change = (index: number, alt: AltText) =>
    setChosen(chosen.map((one, at) => (at === index ? { ...one, alt } : one)));
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.every(isComplete)) onStart(chosen);
        else setChecked(true);
      }}
    >
      <ul className="rows">
        {chosen.map(({ file, alt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and two files may have one name
          <li key={index}>
            <div className="upload-file">
              <strong>{file.name}</strong>
              <small>{describeBytes(file.size)}</small>
              {isImage(file) && <AltFields value={alt} onChange={(next) => change(index, next)} />}
            </div>
          </li>
        ))}
      </ul>
      {isChecked && !chosen.every(isComplete) && (
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
