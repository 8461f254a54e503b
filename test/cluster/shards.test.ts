import { afterAll, expect, test } from '@jest/globals';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { closeStack, eventually, readMetrics } from '../harness/api.ts';
import { type OwnService, startOwnService } from '../harness/own-service.ts';
import { startRole, type TestRole } from '../harness/role.ts';
import { slowTemplate } from '../workflows/helpers.ts';

afterAll(closeStack);

const posts = 400;
const batch = 100;

async function call(service: OwnService, method: string, at: string, body: object | string) {
  const isText = typeof body === 'string';
  const headers = {
    'X-API-Key': service.key,
    'Content-Type': isText ? 'application/octet-stream' : 'application/json',
  };
  const reply = await fetch(`${service.gateway}/api/v1${at}`, {
    ...{ method, headers },
    ...(method === 'GET' ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${at}: ${reply.status} ${await reply.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  return ((await reply.json()) as { data: any }).data;
}

/** Returns the number of shards that a worker has rendered. */
async function shardsOf(ops: string, build: 'own' | 'other'): Promise<number> {
  const line = new RegExp(`^fieldstone_build_shards_total\\{build="${build}"\\} (\\d+)$`, 'm');
  return Number(line.exec(await readMetrics(ops))?.[1] ?? 0);
}

interface ShardRow {
  number: number;
  state: string;
  worker: string;
  holder: string | null;
  takes: number;
}

const selectRows = (db: Database) =>
  db.query<ShardRow>('SELECT number, state, worker, holder, takes FROM build_shards ORDER BY number');

test('one build is rendered by one worker, then two, then three, and one of them is killed in its shard', async () => {
  const service = await startOwnService({ FIELDSTONE_SHARD_PAGES: '5' });
  const { FIELDSTONE_PORT: _port, FIELDSTONE_EDGE_PORT: _edgePort, ...env } = service.env;
  const db = openDatabase({ ...requireEngines(loadConfig(env)), databasePoolSize: 1, sqlLogFile: undefined });
  const added: TestRole[] = [];
  const addHelper = async () => {
    const helper = await startRole('worker', env);
    added.push(helper);
    await eventually('the worker has rendered a shard', async () => (await shardsOf(helper.ops, 'other')) > 0);
    return helper;
  };
  try {
    await call(service, 'POST', '/sites', { name: 'Large', slug: 'large' });
    for (let start = 0; start < posts; start += batch) {
      const items = Array.from({ length: batch }, (_, n) => ({ title: `Post ${start + n}`, status: 'published' }));
      await call(service, 'POST', '/sites/large/content/batch', { items });
    }
    await call(service, 'PUT', '/sites/large/shell/file/post.twig', slowTemplate('{{ page.title }}'));
    const { job } = await call(service, 'POST', '/sites/large/publish', {});

    await eventually('the build is divided', async () => (await shardsOf(service.ops.worker, 'own')) > 0);
    const second = await addHelper();
    const holders = (await selectRows(db)).filter(({ holder, worker }) => holder !== null && holder !== worker);
    const [lost] = new Set(holders.map(({ holder }) => holder));
    const third = await addHelper();
    await second.kill('SIGKILL');
    const open = (await selectRows(db)).filter(({ holder, state }) => holder === lost && state === 'running');
    expect(open.length).toBeGreaterThan(0);
    const numbers = new Set(open.map(({ number }) => number));
    await eventually('its shards are taken by others', async () => {
      const rows = (await selectRows(db)).filter(({ number }) => numbers.has(number));
      return rows.every(({ holder, takes }) => holder !== lost && takes > 1);
    });

    const record = await eventually('the build has ended', async () => {
      const found = await call(service, 'GET', `/jobs/${job}?wait=30`, '');
      return found.finished_at && found;
    });
    expect([record.status, record.error]).toEqual(['succeeded', null]);
    expect(await shardsOf(service.ops.worker, 'own')).toBeGreaterThan(0);
    expect(await shardsOf(third.ops, 'other')).toBeGreaterThan(0);
    expect(await selectRows(db)).toEqual([]);
    const reply = await fetch(`http://127.0.0.1:${service.env['FIELDSTONE_EDGE_PORT']}/sites/large/posts/post-0/`);
    expect(reply.status).toBe(200);
  } finally {
    await Promise.all(added.map((role) => role.kill()));
    await db.close();
    await service.stop();
  }
}, 900_000);
