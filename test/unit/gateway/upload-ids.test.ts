import { request, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadConfig } from '../../../services/core/config.ts';
import { createLogger } from '../../../services/core/log.ts';
import type { App } from '../../../services/features/app.ts';
import { formatKey, hashSecret, randomText } from '../../../services/features/keys/format.ts';
import { createStages } from '../../../services/gateway/pipeline.ts';
import { createUploads } from '../../../services/gateway/uploads.ts';
import { sized } from '../../harness/long-form.ts';

const mine = '11111111-1111-4111-8111-111111111111';
const theirs = '22222222-2222-4222-8222-22222222abcd';
const secret = randomText(32);
const key = formatKey('abcdefgh', secret);
const lengths: Record<string, number> = { [mine]: 11, [theirs]: 22 };
/** Ids of the uploads deleted since the last check. */
const deleted: string[] = [];
let http: Server;
/**
 * Restify replaces it in Node's own class, which the tests of this process share, by one that does not return the
 * response.
 */
const { writeHead } = ServerResponse.prototype;

/** Creates a database with one key, which is for one site, an upload to that site and one to another. */
async function createApp(): Promise<App> {
  const secretHash = await hashSecret(secret);
  const keyRow = { id: 'abcdefgh', user_id: mine, scopes: ['media:write'], sites: ['own'], secret_hash: secretHash };
  async function query(sql: string, [id]: readonly unknown[] = []) {
    if (sql.includes('FROM api_keys')) return [{ ...keyRow, user_active: true, revoked_at: null }];
    if (sql.includes('FROM sites')) return [{ id: mine, slug: id }];
    const upload = String(id).toLowerCase();
    if (!(upload in lengths)) return [];
    if (/^\s*DELETE/.test(sql)) deleted.push(upload);
    const slug = upload === mine ? 'own' : 'foreign';
    const state = {
      length: lengths[upload],
      received: 0,
      parts: [],
      metadata: { site: slug, filename: 'a.txt' },
      media_id: null,
    };
    return [{ id: upload, site_id: upload, site_slug: slug, ...state, created_at: new Date() }];
  }
  const run = (work: (db: unknown) => unknown) => work({ query });
  const db = { query, transaction: run, attempt: run };
  const objects = { requireSpace: async () => undefined };
  const log = createLogger('test', 'silent');
  return { db, objects, log, config: loadConfig({}) } as unknown as App;
}

beforeAll(async () => {
  const app = await createApp();
  const { createServer } = await import('../../../services/gateway/server.ts');
  const { routes, preflight } = await createUploads(app);
  ({ http } = createServer(app, createStages(app), { routes: [], uploads: routes, plain: preflight }));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
  ServerResponse.prototype.writeHead = writeHead;
});

interface Answer {
  status: number;
  length: string | undefined;
}

/** Sends one request with an unchanged target. */
function ask(method: string, path: string): Promise<Answer> {
  const { port } = http.address() as AddressInfo;
  const headers = { 'X-API-Key': key, 'Tus-Resumable': '1.0.0' };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume();
      const length = response.headers['upload-length'] as string | undefined;
      response.once('end', () => resolve({ status: response.statusCode!, length }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

// rule: threat.39
test('a query that ends in the id of an upload of another site changes nothing: the route names the upload', async () => {
  expect(await ask('HEAD', `/uploads/${mine}?x=/${theirs}`)).toEqual({ status: 200, length: '11' });
  expect((await ask('DELETE', `/uploads/${mine}?x=/${theirs}`)).status).toBe(204);
  expect(deleted.splice(0)).toEqual([mine]);
});

test('a query with a broken escape does not hide the upload', async () => {
  expect(await ask('HEAD', `/uploads/${mine}?x=/%`)).toEqual({ status: 200, length: '11' });
});

const pieces = [
  '?x=',
  '/',
  '//',
  '%2f',
  '%2F',
  '%5c',
  '\\',
  '..',
  '.',
  '%2e%2e',
  '#',
  ';',
  '%00',
  '@',
  '%',
  '&',
  'uploads',
];
const beginnings = [
  '/uploads/',
  '/uploads//',
  '/Uploads/',
  '//uploads/',
  'http://other.example/uploads/',
  'http://h/x?/uploads/',
];
const spellings = [theirs, theirs.toUpperCase(), theirs.replace('2', '%32')];
const between = fc.array(fc.constantFrom(...pieces, ...spellings, mine), { maxLength: 4 });

// rule: threat.39
test('no spelling of a target reads or deletes an upload of a site outside the key’s list', async () => {
  const target = fc
    .tuple(
      fc.constantFrom(...beginnings),
      fc.constantFrom(mine, mine.toUpperCase(), ''),
      fc.constantFrom('?', '?x=', '/', ''),
      between,
      fc.constantFrom(...spellings, ''),
      fc.constantFrom('', '/', '%', '#'),
    )
    .map((parts) => parts.flat().join(''));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('HEAD', 'DELETE'), target, async (method, path) => {
      const { length } = await ask(method, path);
      expect(length).not.toBe('22');
      expect(deleted.splice(0)).not.toContain(theirs);
    }),
    { numRuns: sized(100, 1000) },
  );
});
