import { callOwn } from '../../app/api.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Frame } from './frame.tsx';
import { strings } from './strings.ts';

/** Asks for the code of the second factor. */
export const SecondFactor = ({ onDone }: { onDone: () => void | Promise<void> }) => (
  <Frame title={strings.codeTitle}>
    <CallForm
      send={(values) => callOwn('POST', '/sign-in/totp', values)}
      onDone={() => void onDone()}
      submit={strings.continue}
    >
      <Field name="code" label={strings.code} autoComplete="one-time-code" isRequired autoFocus />
    </CallForm>
  </Frame>
);
