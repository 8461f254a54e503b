import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const core = path.join(import.meta.dirname, '../../../services/core');
const importOf = (file: string) => JSON.stringify(pathToFileURL(path.join(core, file)).href);

/** Returns what a program logs, which may use `log` and `withIds`. */
function logged(program: string): { line: Record<string, unknown>; text: string } {
  const { stderr } = spawnSync(
    process.execPath,
    [
      '--no-warnings',
      '--input-type=module',
      '--eval',
      `import { createLogger } from ${importOf('log.ts')}; import { withIds } from ${importOf('work-context.ts')};
       const log = createLogger('worker', 'info'); ${program}`,
    ],
    { encoding: 'utf8' },
  );
  return { line: JSON.parse(stderr), text: stderr };
}

test('a line is JSON with role, time and the ids of the work under way', () => {
  const { line } = logged(`withIds({ request_id: 'r-1', delivery: 'd-1' }, () => log.info({ outcome: 'x' }, 'said'));`);
  expect(line).toMatchObject({ role: 'worker', msg: 'said', request_id: 'r-1', delivery: 'd-1', outcome: 'x' });
  expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('secrets are taken out, wherever they stand', () => {
  const { text } = logged(`log.info({
    authorization: 'geheim-1', headers: { 'x-api-key': 'geheim-2', 'x-service-signature': 'geheim-3', cookie: 'geheim-4' },
    err: { config: { password: 'geheim-5', secretKey: 'geheim-6', accessKey: 'geheim-7' } }, apiKey: 'geheim-8', req: { secret: 'geheim-9' },
  }, 'said');`);
  expect(text.match(/geheim-\d/g)).toBeNull();
  expect(text.match(/\[Redacted\]/g)).toHaveLength(9);
});
