import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { signBody } from '../../../services/dashboard/views/webhooks/sign.ts';
import { signBody as signInService } from '../../../services/features/inbound/signature.ts';

const root = path.join(import.meta.dirname, '../../..');
const document = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');
const documented = [...document.matchAll(/```(\w+) signing\n([\s\S]*?)```/g)].map(
  ([, language, code]) => [language!, code!] as const,
);

test.each(documented)('the example for %s that the dashboard shows is that of the documentation', (language, code) => {
  const file = path.join(root, `services/dashboard/views/webhooks/examples/${language}.txt`);
  expect(readFileSync(file, 'utf8')).toBe(code);
});

test('a test that the dashboard sends is signed as the service checks it', async () => {
  const body = '{"title":"Où ?"}';
  expect(await signBody('whsec_x', body, 1_700_000_000)).toBe(
    signInService('whsec_x', Buffer.from(body), 1_700_000_000_000),
  );
});
