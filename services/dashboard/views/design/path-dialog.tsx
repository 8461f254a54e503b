import { CallForm } from '../../parts/call-form.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { Field } from '../../parts/field.tsx';
import { strings } from './strings.ts';

/** Asks for the path of a file, which is created or renamed. */
export const PathDialog = ({
  title,
  submit,
  initial,
  send,
  onClose,
}: {
  title: string;
  submit: string;
  initial: string;
  send: (path: string) => Promise<void>;
  onClose: (path?: string) => void;
}) => (
  <DialogBox title={title} onClose={onClose}>
    <CallForm
      send={({ path = '' }) => send(path)}
      onDone={(_result, { path }) => onClose(path)}
      submit={submit}
      keepValues
    >
      <Field
        name="path"
        label={strings.path}
        description={strings.pathHint}
        defaultValue={initial}
        isRequired
        autoFocus
        autoComplete="off"
        spellCheck="false"
      />
    </CallForm>
  </DialogBox>
);
