import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { problem } from '../../../services/core/errors.ts';
import { currentIds, withIds } from '../../../services/core/work-context.ts';
import type { ActorClient } from '../../../services/engines/actors/actor-client.ts';
import type { ActorHost } from '../../../services/engines/actors/actor-host.ts';
import { createEmbeddedHost } from '../../../services/engines/actors/embedded/host.ts';
import { createSocketClient } from '../../../services/engines/actors/embedded/socket-client.ts';
import { factCheckType } from '../../../workflows/contracts/fact-check.ts';
import type { CallHandlers } from '../../../workflows/contracts/runtime.ts';

const log = pino({ level: 'silent' });
const queues = ['general', 'inbox', 'media'] as const;
const closing: (() => Promise<unknown>)[] = [];
let folder: string;
let socket: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'actors-'));
  socket = path.join(folder, 'actors', 'wake.sock');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a worker in this process with these handlers; resolves when it is ready. */
async function startWorker(handlers: Partial<CallHandlers>): Promise<{ host: ActorHost; stop(): Promise<void> }> {
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  const host = createEmbeddedHost(socket, log);
  const options = { handlers: handlers as CallHandlers, queues, onReady: ready.resolve, signal: stopping.signal };
  const running = host.run(options).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  const stop = async () => {
    stopping.abort();
    await running;
  };
  closing.push(stop);
  await Promise.race([ready.promise, running]);
  return { host, stop };
}

function connect(): ActorClient {
  const client = createSocketClient(socket, log);
  closing.push(() => client.close());
  return client;
}

async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 500) throw new Error('the condition did not become true');
    await sleep(10);
  }
}

const site = (id: string) => id.slice(0, 36);

describe('wakes', () => {
  test('a wake from another process starts the actor, which looks into SQL once for each state that it may have missed', async () => {
    const looks: string[] = [];
    const release = Promise.withResolvers<void>();
    await startWorker({
      async planSite(id) {
        looks.push(id);
        if (looks.length === 1) await release.promise;
        return { do: 'idle' };
      },
    });
    const client = connect();
    client.wakeSite('a');
    await until(() => looks.length === 1);
    for (let n = 0; n < 5; n++) client.wakeSite('a');
    await sleep(50);
    release.resolve();
    await until(() => looks.length === 2);
    await sleep(50);
    expect(looks).toEqual(['a', 'a']);
  });

  test('an actor has at most one turn at a time, and actors do not wait for each other', async () => {
    const running = new Map<string, number>();
    let most = 0;
    let together = 0;
    await startWorker({
      async workInbox(id) {
        const mine = (running.get(id) ?? 0) + 1;
        running.set(id, mine);
        most = Math.max(most, mine);
        together = Math.max(together, [...running.values()].filter(Boolean).length);
        await sleep(20);
        running.set(id, mine - 1);
        return { do: 'idle' };
      },
    });
    const client = connect();
    for (let n = 0; n < 10; n++) {
      for (const id of ['a', 'b', 'c'])
        client.wakeActor({ type: 'integrationActor', id: `integration:${id}`, args: [id] });
      await sleep(10);
    }
    await until(() => [...running.values()].every((count) => count === 0));
    expect(most).toBe(1);
    expect(together).toBe(3);
  });

  test('a wake that finds no worker harms nobody, and the next one reaches the worker that came', async () => {
    const client = connect();
    client.wakeSite('a');
    await sleep(20);
    const looks: string[] = [];
    await startWorker({
      async planSite(id) {
        looks.push(site(id));
        return { do: 'idle' };
      },
    });
    client.wakeSite('b');
    await until(() => looks.length > 0);
    expect(looks).toEqual(['b']);
  });

  test('a preview in progress is cancelled when a live release is requested, and the live build follows', async () => {
    const builds: string[] = [];
    let requested = false;
    await startWorker({
      async planSite() {
        if (requested && builds.at(-1) === 'live done') return { do: 'idle' };
        return { do: 'build', target: requested ? 'live' : 'preview' };
      },
      async buildSite({ target }, { signal }) {
        builds.push(target);
        if (target === 'preview') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        builds.push(`${target} ${signal.aborted ? 'cancelled' : 'done'}`);
        return { result: 'succeeded' };
      },
    });
    const client = connect();
    client.wakeSite('a');
    await until(() => builds.length === 1);
    requested = true;
    client.wakeSite('a');
    await until(() => builds.length === 4);
    expect(builds).toEqual(['preview', 'preview cancelled', 'live', 'live done']);
  });
});

test('a call has the ids of the request that woke its actor, and none of the work that happened to be under way', async () => {
  const seen: unknown[] = [];
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  const host = createEmbeddedHost(socket, log);
  const handlers: Partial<CallHandlers> = {
    async planSite() {
      seen.push(currentIds());
      return { do: 'idle' };
    },
    async workInbox() {
      withIds({ delivery: 'd' }, () => host.client.wakeSite('a'));
      return { do: 'idle' };
    },
  };
  const options = { handlers: handlers as CallHandlers, queues, onReady: ready.resolve, signal: stopping.signal };
  const running = host.run(options);
  await ready.promise;
  withIds({ request_id: 'r' }, () =>
    host.client.wakeActor({ type: 'integrationActor', id: 'integration:i', args: ['i'] }),
  );
  await until(() => seen.length === 1);
  stopping.abort();
  await running;
  expect(seen).toEqual([{ activity: 'planSite', request_id: 'r' }]);
});

describe('notices of ended jobs', () => {
  test('reach every process that hears them, and none that has stopped', async () => {
    const { host } = await startWorker({});
    const heard = { one: 0, other: 0 };
    const stopping = new AbortController();
    connect().hearJobsEnded!(() => heard.one++, stopping.signal);
    const staying = new AbortController();
    connect().hearJobsEnded!(() => heard.other++, staying.signal);
    // the first one says that they are heard from now on
    await until(() => heard.one === 1 && heard.other === 1);
    host.client.tellJobsEnded!();
    await until(() => heard.one === 2 && heard.other === 2);
    stopping.abort();
    host.client.tellJobsEnded!();
    await until(() => heard.other === 3);
    expect(heard.one).toBe(2);
    staying.abort();
  });

  test('are heard again from the next worker, which says so at once', async () => {
    const first = await startWorker({});
    let heard = 0;
    const signal = new AbortController();
    closing.push(async () => signal.abort());
    connect().hearJobsEnded!(() => heard++, signal.signal);
    await until(() => heard === 1);
    await first.stop();
    await startWorker({});
    await until(() => heard === 2);
  });
});

describe('runs that a request waits for', () => {
  const run = (client: ActorClient, timeoutMs = 5000) =>
    client.run<string>(factCheckType, { id: 'check', input: { siteId: 's', contentId: 'c' }, timeoutMs });

  test('the result and the Problem of the call reach the caller', async () => {
    let fail = false;
    await startWorker({
      async checkFacts({ contentId }) {
        if (fail) throw problem('not_found', 'The item was deleted.');
        return `report of ${contentId}`;
      },
    });
    const client = connect();
    await expect(run(client)).resolves.toBe('report of c');
    fail = true;
    await expect(run(client)).rejects.toMatchObject({
      code: 'not_found',
      message: 'The item was deleted.',
      status: 404,
    });
  });

  test('a caller that has too much under way gets the Retry-After of the call', async () => {
    await startWorker({
      async checkFacts() {
        throw problem('unavailable', 'Too much of this site.', { retryAfterSeconds: 10, isBusy: true });
      },
    });
    await expect(run(connect())).rejects.toMatchObject({
      status: 503,
      message: 'Too much of this site.',
      retryAfterSeconds: 10,
      isBusy: true,
    });
  });

  test('without a worker the caller is told `unavailable` at once', async () => {
    await expect(run(connect())).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  });

  test('beyond its deadline the run is cancelled and the caller is told `unavailable`', async () => {
    let cancelled = false;
    await startWorker({
      async checkFacts(_input, { signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        cancelled = true;
        throw new Error('aborted');
      },
    });
    await expect(run(connect(), 50)).rejects.toMatchObject({ code: 'unavailable' });
    expect(cancelled).toBe(true);
  });

  test('a caller that leaves cancels its run', async () => {
    const seen: string[] = [];
    await startWorker({
      async checkFacts(_input, { signal }) {
        seen.push('begun');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        seen.push('cancelled');
        throw new Error('aborted');
      },
    });
    const client = connect();
    const running = run(client).catch(() => undefined);
    await until(() => seen.length === 1);
    await client.close();
    await running;
    await until(() => seen.length === 2);
  });
});

describe('the socket', () => {
  test('only the user of the data folder can reach it, and one left by a killed worker is replaced', async () => {
    const first = await startWorker({});
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    await first.stop();
    writeFileSync(socket, '');
    await startWorker({});
    await connect().ping();
  });

  test('a second worker waits until the first one has ended', async () => {
    const looks: string[] = [];
    const worker = (name: string): Partial<CallHandlers> => ({
      async planSite() {
        looks.push(name);
        return { do: 'idle' };
      },
    });
    const first = await startWorker(worker('first'));
    const second = startWorker(worker('second'));
    const client = connect();
    client.wakeSite('a');
    await until(() => looks.length === 1);
    await first.stop();
    await second;
    client.wakeSite('a');
    await until(() => looks.length === 2);
    expect(looks).toEqual(['first', 'second']);
  });
});
