import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { OpenOptions } from '../../../services/engines/fetch/fetcher.ts';
import { createTestFetcher, serveHttp, serveRaw, type TestServer } from './servers.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Far above what tests need that are not about time. */
const wideMs = 60_000;

/** `silenceMs`: timeout for a silent server, before its headers and within its body. */
type FetchOptions = Partial<OpenOptions> & { silenceMs?: number };

async function fetchFrom(server: TestServer, { silenceMs = wideMs, ...options }: FetchOptions = {}, path = '/') {
  servers.push(server);
  const fetcher = createTestFetcher({ allow: [server.pair], headersTimeoutMs: silenceMs, connectTimeoutMs: wideMs });
  return fetcher.fetchBytes(server.url + path, {
    maxBytes: 1000,
    totalTimeoutMs: wideMs,
    idleTimeoutMs: silenceMs,
    ...options,
  });
}

async function fetchHttp(handler: RequestListener, options: FetchOptions = {}) {
  return fetchFrom(await serveHttp(handler), options);
}

async function fetchRaw(answer: string | ((socket: Socket) => void), options: FetchOptions = {}) {
  return fetchFrom(await serveRaw(typeof answer === 'string' ? (socket) => socket.end(answer) : answer), options);
}

/** Writes as long as the other side reads. */
function writeForever(socket: Socket, chunk: string | Buffer) {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

describe('bytes', () => {
  test('exactly the limit is fine', async () => {
    const answer = await fetchHttp((_request, response) => response.end('x'.repeat(1000)));
    expect(answer.bytes.length).toBe(1000);
  });

  test('one byte more, announced, is refused before the body', async () => {
    const fetching = fetchRaw('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n');
    await expect(fetching).rejects.toMatchObject({
      code: 'too_large',
      message: 'The response is larger than 1000 bytes.',
    });
  });

  test('one byte more, chunked, is cut', async () => {
    const fetching = fetchHttp((_request, response) => {
      response.write('x'.repeat(600));
      response.end('x'.repeat(401));
    });
    await expect(fetching).rejects.toMatchObject({ code: 'too_large' });
  });

  // rule: threat.16
  test('an endless body is cut', async () => {
    const fetching = fetchRaw(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        writeForever(socket, 'x'.repeat(65_536));
      },
      { maxBytes: 1_000_000 },
    );
    await expect(fetching).rejects.toMatchObject({ code: 'too_large' });
  });

  test('an endless chunk header or endless headers are cut', async () => {
    const chunk = fetchRaw(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;');
        writeForever(socket, 'x'.repeat(1000));
      },
      { totalTimeoutMs: 1500 },
    );
    await expect(chunk).rejects.toMatchObject({ code: expect.stringMatching(/^(bad_response|timeout)$/) });
    const headers = fetchRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      writeForever(socket, `x-filler: ${'x'.repeat(1000)}\r\n`);
    });
    await expect(headers).rejects.toMatchObject({ code: 'bad_response' });
  });

  test('headers above the limit are a bad response', async () => {
    const fetching = fetchRaw(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`);
    await expect(fetching).rejects.toMatchObject({ code: 'bad_response' });
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'gzip, identity'])(
    '%s is not decoded: it was not asked for',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(1_000_000));
      const fetching = fetchHttp(
        (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
        { maxBytes: 2000 },
      );
      await expect(fetching).rejects.toMatchObject({ code: 'bad_response' });
    },
  );

  test('identity is asked for, and accepted by name', async () => {
    const answer = await fetchHttp((request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'identity' })
        .end(`${request.headers['accept-encoding']} ${request.headers['user-agent']}`);
    });
    expect(answer.bytes.toString()).toBe('identity fieldstone-test');
  });
});

describe('broken answers', () => {
  const broken = {
    'a body shorter than announced': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort',
    'a chunked body that stops': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
    'a chunk size that is none': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n',
    'both lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
    'a negative length': 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
    'no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n',
    nothing: '',
    'half the headers': 'HTTP/1.1 200 OK\r\ncontent-',
    'an upgrade': 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  };
  test.each(Object.entries(broken))('%s', async (_name, answer) => {
    await expect(fetchRaw(answer)).rejects.toMatchObject({
      code: 'bad_response',
      message: 'The response of the server could not be read.',
    });
  });

  test('a body longer than announced ends where it was announced', async () => {
    const outcome = await fetchRaw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello, and much more').then(
      (answer) => answer.bytes.toString(),
      (error) => error.code,
    );
    expect(['hello', 'bad_response']).toContain(outcome);
  });

  test('a closed port of an allowed host cannot be reached', async () => {
    const server = await serveHttp(() => {});
    await server.close();
    await expect(fetchFrom(server)).rejects.toMatchObject({ code: 'connect_failed' });
    const secure = createTestFetcher({ allow: [server.pair] }).open(`https://${server.pair}/`, { maxBytes: 10 });
    await expect(secure).rejects.toMatchObject({ code: 'connect_failed' });
  });

  test('any status is an answer, unless success is required', async () => {
    const answer = await fetchHttp((_request, response) => response.writeHead(404).end('gone'));
    expect([answer.status, answer.bytes.toString()]).toEqual([404, 'gone']);
    const required = fetchHttp((_request, response) => response.writeHead(404).end('gone'), { requireOk: true });
    await expect(required).rejects.toMatchObject({
      code: 'bad_status',
      message: 'The server of the URL responded with status 404.',
    });
  });
});

describe('time', () => {
  test('no headers', async () => {
    await expect(fetchRaw(() => {}, { silenceMs: 300 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('a body that falls silent', async () => {
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf';
    const fetching = fetchRaw((socket) => socket.write(half), { silenceMs: 300 });
    await expect(fetching).rejects.toMatchObject({ code: 'timeout' });
  });

  // rule: threat.16
  test('a body that drips for ever, and headers that do', async () => {
    const drip = (start: string, drop: string) => (socket: Socket) => {
      socket.write(start);
      const timer = setInterval(() => socket.write(drop), 20);
      socket.once('close', () => clearInterval(timer));
    };
    const body = fetchRaw(drip('HTTP/1.1 200 OK\r\n\r\n', 'x'), { totalTimeoutMs: 400 });
    await expect(body).rejects.toMatchObject({ code: 'timeout' });
    const headers = fetchRaw(drip('HTTP/1.1 200 OK\r\n', 'a: b\r\n'), { totalTimeoutMs: 400 });
    await expect(headers).rejects.toMatchObject({ code: 'timeout' });
    const interim = fetchRaw(drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), { totalTimeoutMs: 400 });
    await expect(interim).rejects.toMatchObject({ code: 'timeout' });
  });

  test('the total covers all redirects together', async () => {
    const fetching = fetchHttp(
      (_request, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100),
      {
        totalTimeoutMs: 350,
        maxRedirects: 100,
      },
    );
    await expect(fetching).rejects.toMatchObject({ code: 'timeout' });
  });

  test('a name that never resolves', async () => {
    const fetcher = createTestFetcher({ resolve: () => new Promise(() => {}) });
    await expect(fetcher.open('http://slow.example/', { maxBytes: 10, totalTimeoutMs: 50 })).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  test('a handshake that never ends', async () => {
    const server = await serveRaw(() => {});
    servers.push(server);
    const fetcher = createTestFetcher({ allow: [server.pair], connectTimeoutMs: 100 });
    await expect(fetcher.open(`https://${server.pair}/`, { maxBytes: 10 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('the caller can end it at every stage, with the reason given', async () => {
    const aborted = fetchRaw(() => {}, { signal: AbortSignal.abort(new Error('not needed')) });
    await expect(aborted).rejects.toThrow('not needed');
    const controller = new AbortController();
    const waiting = fetchRaw(() => controller.abort(new Error('stopped')), { signal: controller.signal });
    await expect(waiting).rejects.toThrow('stopped');
  });
});

test('a reader that stops early, and one that never starts, end the connection', async () => {
  const closed: Promise<void>[] = [];
  const server = await serveRaw((socket) => {
    closed.push(new Promise((resolve) => socket.once('close', () => resolve())));
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    writeForever(socket, 'x'.repeat(1000));
  });
  servers.push(server);
  const fetcher = createTestFetcher({ allow: [server.pair] });
  const early = await fetcher.open(server.url, { maxBytes: 1_000_000 });
  for await (const _chunk of early.body) break;
  const never = await fetcher.open(server.url, { maxBytes: 1_000_000 });
  never.close();
  await Promise.all(closed);
  expect(closed.length).toBe(2);
});
