import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { keyRequestRecord } from '../../../features/people/key-requests/schema.ts';
import { callOwn } from '../../app/api.ts';
import { toProblem } from '../../app/problem.ts';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Frame } from '../sign-in/frame.tsx';
import { strings } from './strings.ts';

type KeyRequest = z.output<typeof keyRequestRecord>;
type Decision = 'approve' | 'deny';

/** What is requested, and the two decisions. */
function Request({ request, onDecided }: { request: KeyRequest; onDecided: (decision: Decision) => void }) {
  const { code, name, address, sites, scopes } = request;
  const decide = useMutation({
    mutationFn: (decision: Decision) => callOwn('POST', `/key-requests/${decision}`, { code }),
    onSuccess: (_result, decision) => onDecided(decision),
  });
  return (
    <Frame title={strings.title} lead={strings.compare(code)}>
      <dl>
        <dt>{strings.name}</dt>
        <dd>{name}</dd>
        <dt>{strings.address}</dt>
        <dd>{address}</dd>
        <dt>{strings.sites}</dt>
        <dd>{sites.includes('*') ? strings.everySite : sites.join(', ')}</dd>
        <dt>{strings.scopes}</dt>
        <dd>
          <ul>
            {scopes.map(({ scope, description }) => (
              <li key={scope}>{description}</li>
            ))}
          </ul>
        </dd>
      </dl>
      <p>{strings.key}</p>
      {decide.error && <p role="alert">{toProblem(decide.error).message}</p>}
      <Button variant="primary" isPending={decide.isPending} onPress={() => decide.mutate('approve')}>
        {strings.approve}
      </Button>
      <Button isPending={decide.isPending} onPress={() => decide.mutate('deny')}>
        {strings.deny}
      </Button>
    </Frame>
  );
}

/**
 * The page that approves a request of `fieldstone login` for an API key. The code is in the fragment, which browsers do not send; the
 * person compares it with the terminal.
 */
export default function KeyRequestPage() {
  const [request, setRequest] = useState<KeyRequest>();
  const [decision, setDecision] = useState<Decision>();
  if (decision)
    return (
      <Frame title={strings.decided[decision]}>
        <p role="status">{strings.next[decision]}</p>
      </Frame>
    );
  if (request) return <Request request={request} onDecided={setDecision} />;
  return (
    <Frame title={strings.codeTitle}>
      <CallForm
        send={(values) => callOwn<KeyRequest>('POST', '/key-requests/inspect', values)}
        onDone={setRequest}
        submit={strings.continue}
        keepValues
      >
        <Field
          name="code"
          label={strings.code}
          autoComplete="off"
          defaultValue={decodeURIComponent(window.location.hash.slice(1))}
          isRequired
          autoFocus
        />
      </CallForm>
    </Frame>
  );
}
