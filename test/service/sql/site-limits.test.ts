import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { createCipher } from '../../../services/core/secrets.ts';
import { createEndpoint } from '../../../services/features/events/endpoints.ts';
import { createIntegration } from '../../../services/features/integrations/service.ts';
import { withinScriptLimits } from '../../../services/features/scripts/limits.ts';
import { insertScript } from '../../../services/features/scripts/sql.ts';
import { deleteShellFile, writeShellFile } from '../../../services/features/shell/service.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
const cipher = createCipher([randomBytes(32)]);

test('the limits of a site are those of the contract', () => {
  expect(loadConfig({}).siteLimits).toEqual({
    shellFiles: 2000,
    shellBytes: 100_000_000,
    scripts: 50,
    scriptBytes: 1_000_000,
    integrations: 50,
    eventEndpoints: 20,
  });
});

// rule: threat.23
test('a shell takes no file beyond its number or its bytes, and may shrink', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const write = async (path: string, text: string, limits: { shellFiles: number; shellBytes: number }) => {
    const stored = { hash: await own.objects.putBytes(Buffer.from(text)), bytes: text.length };
    return own.db.transaction((tx) => writeShellFile(tx, siteId, path, stored, limits));
  };
  const roomy = { shellFiles: 6, shellBytes: 1000 };
  await write('a.css', 'x'.repeat(500), roomy);
  await write('b.css', 'b', roomy);
  await expect(write('c.css', 'c', roomy)).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(write('b.css', 'x'.repeat(600), roomy)).rejects.toMatchObject({ code: 'too_large' });
  await write('a.css', 'shorter', { shellFiles: 1, shellBytes: 1 });
  await own.db.transaction((tx) => deleteShellFile(tx, siteId, 'a.css'));
  await write('c.css', 'c', roomy);
});

test('scripts are bounded by their number and by their bytes in sum', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const add = (code: string) =>
    own.db.transaction((tx) =>
      withinScriptLimits(tx, siteId, { scripts: 2, scriptBytes: 10 }, () =>
        insertScript(tx, siteId, { name: 'n', position: 'head', src: null, code }),
      ),
    );
  await add('12345');
  await expect(add('123456')).rejects.toMatchObject({ code: 'too_large' });
  await add('1');
  await expect(add('1')).rejects.toMatchObject({ code: 'validation_failed' });
});

test('integrations and event endpoints are bounded by their number', async () => {
  const id = await insertBareSite(own.db, own.objects);
  const integrate = () =>
    own.db.transaction((tx) =>
      createIntegration(tx, cipher, { id, slug: 's' }, { mapper: 'create_post', enabled: true }, 1),
    );
  await integrate();
  await expect(integrate()).rejects.toMatchObject({ code: 'validation_failed' });
  const config = { ...loadConfig({}), siteLimits: { ...loadConfig({}).siteLimits, eventEndpoints: 1 } };
  const listen = () =>
    own.db.transaction((tx) =>
      createEndpoint(tx, { cipher, config }, id, {
        url: 'https://events.example.com/',
        events: ['job.failed'],
        enabled: true,
      }),
    );
  await listen();
  await expect(listen()).rejects.toMatchObject({ code: 'validation_failed' });
});
