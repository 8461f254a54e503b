import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOwn } from '../../app/api.ts';
import { startSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Frame } from './frame.tsx';
import { SecondFactor } from './second-factor.tsx';
import type { SignedIn } from './signed-in.ts';
import { strings } from './strings.ts';

type Step = 'password' | 'code' | 'reset' | 'sent';

const EmailField = () => (
  <Field name="email" type="email" label={strings.email} autoComplete="username" isRequired autoFocus />
);

/** Signing in with e-mail address and password, then with the second factor if the account has one; and asking for a new password. `isAgain` if a session has expired. */
export default function SignIn({ isAgain }: { isAgain: boolean }) {
  const [step, setStep] = useState<Step>('password');
  const client = useQueryClient();
  const finish = () => startSession(client);

  if (step === 'code') return <SecondFactor onDone={finish} />;
  if (step === 'reset')
    return (
      <Frame title={strings.resetTitle} lead={strings.resetLead}>
        <CallForm
          send={(values) => callOwn('POST', '/links/reset', values)}
          onDone={() => setStep('sent')}
          submit={strings.sendLink}
        >
          <EmailField />
        </CallForm>
        <Button variant="quiet" onPress={() => setStep('password')}>
          {strings.backToSignIn}
        </Button>
      </Frame>
    );
  return (
    <Frame title={strings.signIn} lead={isAgain ? strings.sessionEnded : undefined}>
      {step === 'sent' && <p role="status">{strings.resetSent}</p>}
      <CallForm
        send={(values) => callOwn<SignedIn>('POST', '/sign-in', { password: '', ...values })}
        onDone={({ next }) => (next === 'totp' ? setStep('code') : finish())}
        submit={strings.signIn}
        keepValues
      >
        <EmailField />
        <Field name="password" type="password" label={strings.password} autoComplete="current-password" isRequired />
      </CallForm>
      <Button variant="quiet" onPress={() => setStep('reset')}>
        {strings.forgot}
      </Button>
    </Frame>
  );
}
