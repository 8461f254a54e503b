import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { makeEndpointSecret } from '../../../services/features/events/secrets.ts';
import { signEvent } from '../../../services/features/events/sign-event.ts';
import { runs, testWith } from '../../harness/programs.ts';

const document = readFileSync(path.join(import.meta.dirname, '../../../docs/events.md'), 'utf8');
const examples = new Map(
  [...document.matchAll(/```(\w+) verifying\n([\s\S]*?)```/g)].map(([, language, code]) => [language!, code!]),
);
/** How a saved example is run, and the command that tells whether it can be. */
const runners: Record<string, { file: string; command: string; probe: string[] }> = {
  js: { file: 'verify.mjs', command: process.execPath, probe: [process.execPath, '--version'] },
  python: { file: 'verify.py', command: 'python3', probe: ['python3', '--version'] },
  sh: {
    file: 'verify.sh',
    command: 'sh',
    probe: ['sh', '-c', 'command -v openssl && command -v base64 && command -v od'],
  },
};
const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-verifying-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('there is an example for every language', () => {
  expect([...examples.keys()].sort()).toEqual(Object.keys(runners).sort());
});

for (const [language, { file, command, probe }] of Object.entries(runners)) {
  const check = testWith(command, runs(probe));
  check(
    `the ${language} example takes what is signed and refuses everything else`,
    async () => {
      const script = path.join(folder, file);
      const payload = path.join(folder, `${language}.json`);
      const body = Buffer.from('{"type":"site.published","data":{"title":"Größe"}}');
      writeFileSync(script, examples.get(language)!);
      const secrets = [makeEndpointSecret(), makeEndpointSecret()];
      const run = (secret: string, sent: Buffer, nowMs = Date.now()) =>
        new Promise<string>((resolve) => {
          writeFileSync(payload, sent);
          const headers = signEvent(randomUUID(), body, secrets, nowMs);
          const env = {
            PATH: process.env.PATH,
            SECRET: secret,
            WEBHOOK_ID: headers['webhook-id'],
            WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
            WEBHOOK_SIGNATURE: headers['webhook-signature'],
          };
          execFile(command, [script, payload], { env }, (_error, stdout, stderr) => resolve((stdout + stderr).trim()));
        });
      expect(await run(secrets[0]!, body)).toBe('valid');
      expect(await run(secrets[1]!, body)).toBe('valid');
      expect(await run(makeEndpointSecret(), body)).toBe('invalid');
      expect(await run(secrets[0]!, Buffer.concat([body, Buffer.from(' ')]))).toBe('invalid');
      expect(await run(secrets[0]!, body, Date.now() - 400_000)).toBe('invalid');
    },
    60_000,
  );
}
