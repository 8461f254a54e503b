import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem, toProblem } from '../../app/problem.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Field } from '../../parts/field.tsx';
import { notify } from '../../parts/notify.ts';
import { deliveriesKey, type Integration } from './integrations.ts';
import { sampleBody } from './sample-bodies.ts';
import { signBody } from './sign.ts';
import { strings } from './strings.ts';

/** Sends a delivery as a provider does: signed with the secret, to the URL of the integration on this origin. */
async function deliver({ url }: Integration, secret: string, body: string): Promise<void> {
  const response = await fetch(new URL(url).pathname, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      'Content-Type': 'application/json',
      'X-Delivery-Id': `test-${crypto.randomUUID()}`,
      'X-Service-Signature': await signBody(secret, body),
    },
    body,
  }).catch((error: unknown) => {
    throw toProblem(error);
  });
  if (!response.ok)
    throw new Problem(strings.testRefused(response.status), { code: 'unknown', status: response.status });
}

/** A test delivery whose body can be changed. */
export function SendTest({
  site,
  integration,
  readSecret,
}: {
  site: string;
  integration: Integration;
  readSecret: () => Promise<string>;
}) {
  const client = useQueryClient();
  const [body, setBody] = useState(() => sampleBody(integration.mapper));
  const send = async () => {
    await deliver(integration, await readSecret(), body);
    await client.invalidateQueries({ queryKey: deliveriesKey(site, integration.id) });
    notify(strings.testAccepted);
  };
  return (
    <div className="form form-wide">
      <Field label={strings.testBody} description={strings.testWarning} lines={8} value={body} onChange={setBody} />
      <div>
        <ActionButton run={send}>{strings.testSend}</ActionButton>
      </div>
    </div>
  );
}
