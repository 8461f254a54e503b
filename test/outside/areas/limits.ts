import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Report } from '../report.ts';
import { call, eventually, form, makeKey, makeSite, type Reply, root, world } from '../world.ts';

const mib = 1024 * 1024;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** One more gateway, with settings of its own. */
async function startGateway(env: Record<string, string>): Promise<{ origin: string; stop(): void }> {
  const [port, ops] = [await freePort(), await freePort()];
  const own = { ...world.env, FIELDSTONE_PORT: String(port), FIELDSTONE_OPS_PORT: String(ops), ...env };
  const program = path.join(root, 'services/cli/fieldstone.js');
  const child = spawn(process.execPath, [program, 'gateway'], { env: own, stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  await eventually('the gateway answers', () =>
    fetch(`${origin}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );
  return { origin, stop: () => child.kill('SIGKILL') };
}

export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  await t.part('sizes', async () => {
    const exact = (bytes: number) => {
      const frame = '{"title":"size","excerpt":""}';
      return `${frame.slice(0, -2)}${' '.repeat(0)}"}${' '.repeat(bytes - frame.length)}`;
    };
    t.replies(
      '4 MiB',
      await site.call('POST', '/content', undefined, { raw: exact(4 * mib), type: 'application/json' }),
      201,
    );
    t.replies(
      'one byte more',
      await site.call('POST', '/content', undefined, { raw: exact(4 * mib + 1), type: 'application/json' }),
      413,
    );
    t.replies(
      'one byte more, not JSON',
      await site.call('POST', '/content', undefined, { raw: Buffer.alloc(4 * mib + 1, 97), type: 'application/json' }),
      413,
    );
    t.replies(
      'publish with 4 MiB and one',
      await site.call('POST', '/publish', undefined, { raw: Buffer.alloc(4 * mib + 1, 32), type: 'text/plain' }),
      413,
    );
    t.replies(
      'media JSON with 4 MiB and one',
      await site.call('POST', '/media', undefined, { raw: Buffer.alloc(4 * mib + 1, 32), type: 'application/json' }),
      413,
    );
    const upload = form([{ name: 'file', value: Buffer.alloc(5 * mib, 1), filename: 'a.bin' }]);
    t.replies('an upload of 5 MiB', await site.call('POST', '/media', undefined, upload), 201);
    t.replies(
      '413 comes before 415',
      await site.call('POST', '/content', undefined, { raw: Buffer.alloc(5 * mib, 97), type: 'text/plain' }),
      413,
    );
    t.replies(
      '403 comes before 413',
      await call('POST', `/sites/${site.slug}/content`, {
        key: await makeKey(['content:read']),
        raw: Buffer.alloc(4 * mib + 1, 97),
        type: 'application/json',
      }),
      403,
    );
  });

  await t.part('rates', async () => {
    const limits = {
      FIELDSTONE_RATE_LIMIT_IP: '60',
      FIELDSTONE_RATE_LIMIT_KEY: '120',
      FIELDSTONE_TRUSTED_PROXIES: '127.0.0.0/8',
    };
    const gateways = await Promise.all([startGateway(limits), startGateway(limits)]);
    let next = 0;
    const run = Math.floor(Math.random() * 200) + 1;
    const ask = (ip: string, apiKey: string | null, target = '/sites') =>
      call('GET', target, { key: apiKey, origin: gateways[next++ % 2]!.origin, headers: { 'X-Forwarded-For': ip } });
    /** Sends inside one window: waits for the next when this one is about to end. */
    const burst = async (count: number, one: (i: number) => Promise<Reply>): Promise<Reply[]> => {
      const seconds = new Date().getUTCSeconds();
      if (seconds > 30) await new Promise((resolve) => setTimeout(resolve, (61 - seconds) * 1000));
      return Promise.all(Array.from({ length: count }, (_, i) => one(i)));
    };
    try {
      const mine = await makeKey();
      const ip = await burst(80, () => ask(`198.51.100.${run}`, mine));
      const passed = ip.filter((one) => one.status === 200);
      t.ok(
        '60 a minute for one address, over two replicas',
        passed.length === 60 || passed.length === 80 - ip.filter((one) => one.status === 429).length,
        ip.map((one) => one.status),
      );
      t.is('60', passed.length, 60);
      const refused = ip.find((one) => one.status === 429)!;
      t.replies('429', refused, 429, 'rate_limited');
      const wait = Number(refused.headers['retry-after']);
      t.ok('Retry-After within the window', wait >= 1 && wait <= 60, wait);
      t.ok(
        'RateLimit and RateLimit-Policy',
        refused.headers.ratelimit && refused.headers['ratelimit-policy'],
        refused.headers,
      );
      t.ok(
        'on what passed too',
        passed[0]!.headers.ratelimit && passed[0]!.headers['ratelimit-policy'],
        passed[0]!.headers,
      );
      t.replies('the IP limit comes before the key', await ask(`198.51.100.${run}`, null), 429);
      t.replies('another address', await ask(`198.51.100.${run + 1}`, mine), 200);
      t.replies(
        'only /api/v1 counts: openapi',
        await call('GET', '//openapi.json', {
          origin: gateways[0]!.origin,
          headers: { 'X-Forwarded-For': `198.51.100.${run}` },
        }),
        200,
      );
      t.replies(
        'only /api/v1 counts: webhooks',
        await call('POST', '//webhooks/none', {
          origin: gateways[0]!.origin,
          headers: { 'X-Forwarded-For': `198.51.100.${run}` },
        }),
        404,
      );
      const failures = await burst(70, () => ask(`203.0.113.${run}`, null));
      t.is(
        'a failed request counts',
        [failures.filter((one) => one.status === 401).length, failures.filter((one) => one.status === 429).length],
        [60, 10],
      );
      const theirs = await makeKey();
      const spread = await burst(150, (i) => ask(`192.0.2.${(i % 50) + 1}`, theirs, '/nope'));
      t.is(
        '120 a minute for one key',
        [spread.filter((one) => one.status === 404).length, spread.filter((one) => one.status === 429).length],
        [120, 30],
      );
      t.replies('another key', await ask('192.0.2.77', mine), [200, 429]);
      const untrusted = await startGateway({ ...limits, FIELDSTONE_TRUSTED_PROXIES: '' });
      const forged = await Promise.all(
        Array.from({ length: 5 }, (_, i) =>
          call('GET', '/sites', { key: null, origin: untrusted.origin, headers: { 'X-Forwarded-For': `10.9.8.${i}` } }),
        ),
      );
      const left = forged
        .map((one) => Number(/r=(\d+)/.exec(String(one.headers.ratelimit))?.[1] ?? Number.NaN))
        .sort((a, b) => a - b);
      t.is(
        'X-Forwarded-For of a stranger does not count',
        left.map((one) => one - left[0]!),
        [0, 1, 2, 3, 4],
      );
      untrusted.stop();
    } finally {
      for (const gateway of gateways) gateway.stop();
    }
  });
}
