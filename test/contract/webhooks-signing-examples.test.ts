import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, stack } from '../harness/api.ts';
import { runs, testWith } from '../harness/programs.ts';
import { makeIntegration, type TestIntegration } from '../harness/webhooks.ts';

const document = readFileSync(path.join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const examples = new Map(
  [...document.matchAll(/```(\w+) signing\n([\s\S]*?)```/g)].map(([, language, code]) => [language!, code!]),
);

/** How a saved example is run, and the command that tells whether it can be. */
const runners: Record<string, { file: string; command: string; args: string[]; probe: string[] }> = {
  sh: { file: 'send.sh', command: 'sh', args: [], probe: ['sh', '-c', 'command -v openssl && command -v curl'] },
  js: { file: 'send.mjs', command: process.execPath, args: [], probe: [process.execPath, '--version'] },
  python: { file: 'send.py', command: 'python3', args: [], probe: ['python3', '--version'] },
  php: { file: 'send.php', command: 'php', args: [], probe: ['php', '--version'] },
  go: { file: 'send.go', command: 'go', args: ['run'], probe: ['go', 'version'] },
};
const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-signing-'));

let integration: TestIntegration;
beforeAll(async () => {
  integration = await makeIntegration(await makeSite(), 'create_post');
});
afterAll(closeStack);

test('there is an example for every language', () => {
  expect([...examples.keys()].sort()).toEqual(Object.keys(runners).sort());
});

for (const [language, { file, command, args, probe }] of Object.entries(runners)) {
  const check = testWith(command, runs(probe));
  check(
    `the ${language} example is accepted, and refused with another secret`,
    async () => {
      const script = path.join(folder, file);
      const payload = path.join(folder, 'article.json');
      writeFileSync(script, examples.get(language)!);
      writeFileSync(payload, JSON.stringify({ title: `Größe from ${language}`, body_html: '<p>ü</p>\n' }));
      const run = (secret: string) =>
        new Promise<string>((resolve) => {
          const env = {
            ...process.env,
            SECRET: secret,
            URL: `${stack.gateways[0]}/webhooks/${integration.slug}`,
            DELIVERY_ID: randomUUID(),
          };
          execFile(command, [...args, script, payload], { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
        });
      expect((await run(integration.secret)).trim()).toBe('202');
      expect(await run('whsec_other')).toContain('401');
    },
    600_000,
  );
}
