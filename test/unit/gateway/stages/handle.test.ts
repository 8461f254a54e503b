import { describe, expect, test } from '@jest/globals';
import { ok, Reply, rawLarge } from '../../../../services/core/reply.ts';
import type { Context } from '../../../../services/gateway/context.ts';
import { routes } from '../../../../services/gateway/routes.ts';
import { handle, isTransactional } from '../../../../services/gateway/stages/handle.ts';

interface Asked {
  method: string;
  transaction?: { none: string };
}

/** Runs the stage on a route that records its calls, and returns the records. */
async function run({ method, transaction }: Asked, claim?: object): Promise<string[]> {
  const notes: string[] = [];
  const tx = {
    queue: (sql: string) => void notes.push(/^INSERT INTO (\w+)/.exec(sql)![1]!),
  };
  const db = {
    async transaction(work: (tx: object) => Promise<unknown>) {
      notes.push('begin');
      await work(tx).catch(() => notes.push('rolled back')); // lost a race: every transaction runs twice here
      const reply = await work(tx);
      notes.push('commit');
      return reply;
    },
    attempt: (work: (db: object) => Promise<unknown>) => work({}),
  };
  const route = {
    method,
    path: '/sites/:site/content',
    scope: 'content:write',
    transaction,
    body: { kind: 'json' },
    prepare: async () => notes.push('prepare'),
    handler: async (input: { afterCommit(work: () => void): void }) => {
      notes.push('handler');
      input.afterCommit(() => notes.push('wake'));
      return ok({ id: '1' });
    },
  };
  const caller = { via: 'key', id: 'abcdefgh', userId: null };
  const ctx = {
    app: { db, objects: {} },
    caller,
    route,
    claim,
    params: {},
    req: { headers: {} },
  } as unknown as Context;
  expect(await handle(ctx)).toBeInstanceOf(Reply);
  return notes;
}

const attempt = ['handler', 'audit_log'];
const transacted = ['prepare', 'begin', ...attempt, ...attempt, 'commit', 'wake'];

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a %s runs in a transaction, with its audit row, which may run again',
  async (method) => {
    expect(await run({ method })).toEqual(transacted);
  },
);

test('what reads, and what opts out with a reason, runs without one', async () => {
  expect(await run({ method: 'GET' })).toEqual(['prepare', 'handler', 'wake']);
  expect(await run({ method: 'POST', transaction: { none: 'It writes nothing.' } })).toEqual([
    'prepare',
    'handler',
    'wake',
  ]);
});

test('with an Idempotency-Key the reply is stored in the transaction even where the route opts out', async () => {
  const stored: unknown[] = [];
  const claim = { complete: async (_tx: object, reply: Reply) => stored.push(reply.bytes) };
  const optedOut = { method: 'POST', transaction: { none: 'It writes nothing.' } };
  expect(await run(optedOut, claim)).toEqual(transacted.filter((note) => note !== 'audit_log'));
  expect(stored).toHaveLength(2);
});

test('every write route is a transaction, or says why not in a sentence', () => {
  const optedOut = routes.filter(({ method, transaction }) => method !== 'GET' && transaction);
  expect(optedOut.map(({ operationId }) => operationId)).toEqual([
    'checkFacts',
    'previewShellArchive',
    'tryComponent',
    'previewContent',
  ]);
  for (const route of routes) {
    expect(isTransactional(route)).toBe(route.method !== 'GET' && !route.transaction);
    if (route.transaction) expect(route.transaction.none).toMatch(/^[A-Z].*\.$/);
  }
});

describe('requests that share replies', () => {
  /** Opens a route whose runs the test ends, and returns a function that sends a request to it. */
  function open() {
    const runs: ((reply: Reply) => void)[] = [];
    const route = {
      method: 'GET',
      path: '/sites/:site/content',
      sharesReply: true,
      body: { kind: 'ignored' },
      handler: () => new Promise<Reply>((resolve) => runs.push(resolve)),
    };
    const siteId = crypto.randomUUID();
    const get = (search = '') =>
      handle({
        app: { db: { attempt: (work: (db: object) => Promise<unknown>) => work({}) } },
        caller: { via: 'key', id: 'abcdefgh', userId: null },
        site: { id: siteId },
        path: '/sites/a/content',
        search,
        route,
        params: {},
        req: { headers: {} },
      } as unknown as Context);
    return { runs, get };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('one run serves those that arrived before it, another one those that arrived meanwhile', async () => {
    const { runs, get } = open();
    const first = [get(), get()];
    await turn();
    const late = get();
    await turn();
    expect(runs).toHaveLength(1);
    const [before, after] = [ok({ id: '1' }), ok({ id: '2' })];
    runs[0]!(before);
    expect(await Promise.all(first)).toEqual([before, before]);
    await turn();
    runs[1]!(after);
    expect(await late).toBe(after);
  });

  test('requests with different queries have runs of their own', async () => {
    const { runs, get } = open();
    void get('?page=1');
    void get('?page=2');
    await turn();
    expect(runs).toHaveLength(2);
  });

  test('a reply that is read while it is sent serves one request', async () => {
    const { runs, get } = open();
    const replies = [get(), get()];
    await turn();
    const large = () => rawLarge(200, { segments: [] }, {});
    runs[0]!(large());
    await turn();
    runs[1]!(large());
    const [one, other] = await Promise.all(replies);
    expect(one).not.toBe(other);
  });
});
