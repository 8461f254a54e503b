import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callOwn } from '../../app/api.ts';
import { meKey } from '../../app/session.ts';
import { LinkButton } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Frame } from './frame.tsx';
import { SecondFactor } from './second-factor.tsx';
import type { LinkRecord, SignedIn } from './signed-in.ts';
import { strings } from './strings.ts';
import { takeToken } from './token.ts';

/** The page of a link: an invitation, a new password, or signing in once. Nothing happens before the person presses the button. */
export default function LinkPage() {
  const [token] = useState(takeToken);
  const [isCodeMissing, setCodeMissing] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => callOwn<LinkRecord>('POST', '/links/inspect', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const finish = async () => {
    await client.resetQueries({ queryKey: meKey });
    await navigate({ to: '/', replace: true });
  };
  const goOn = ({ next }: SignedIn) => (next === 'totp' ? setCodeMissing(true) : void finish());

  if (isCodeMissing) return <SecondFactor onDone={finish} />;
  if (link.isPending) return <Pending />;
  if (link.error)
    return (
      <Frame title={strings.linkProblem}>
        <ProblemView error={link.error} />
        <LinkButton to="/">{strings.backToSignIn}</LinkButton>
      </Frame>
    );
  const { kind, email, name } = link.data;
  if (kind === 'sign_in')
    return (
      <Frame title={strings.welcome(name)} lead={strings.linkLead(email)}>
        <CallForm
          send={() => callOwn<SignedIn>('POST', '/links/accept', { token })}
          onDone={goOn}
          submit={strings.signIn}
          isReady
        />
      </Frame>
    );
  return (
    <Frame title={strings.setPasswordTitle} lead={strings.setPasswordLead(email)}>
      <CallForm
        send={(values) => callOwn<SignedIn>('POST', '/links/accept', { ...values, token })}
        onDone={goOn}
        submit={strings.setPassword}
        keepValues
      >
        <input type="hidden" name="username" autoComplete="username" value={email} disabled />
        <Field name="name" label={strings.name} autoComplete="name" maxLength={200} defaultValue={name ?? ''} />
        <Field
          name="password"
          type="password"
          label={strings.newPassword}
          description={strings.passwordRule}
          autoComplete="new-password"
          minLength={12}
          maxLength={256}
          isRequired
        />
      </CallForm>
    </Frame>
  );
}
