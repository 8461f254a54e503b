import type { Report } from '../report.ts';
import { type Any, call, makeSite, wire, world } from '../world.ts';

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
const count = (answer: string): number => (answer.match(/HTTP\/1\.1 \d+/g) ?? []).length;

export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  const { key } = site;
  const raw = (bytes: string | Buffer, target = '/content', method = 'POST', headers = {}) =>
    site.call(method, target, undefined, { raw: bytes, type: 'application/json', headers });

  await t.part('JSON', async () => {
    const refused: Record<string, string | Buffer> = {
      'invalid UTF-8 in a title': Buffer.concat([
        Buffer.from('{"title":"a'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]),
      'truncated UTF-8': Buffer.concat([Buffer.from('{"title":"a'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
      'overlong UTF-8': Buffer.concat([Buffer.from('{"title":"a'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
      'UTF-16': Buffer.from('{"title":"a"}', 'utf16le'),
      'trailing text': '{"title":"a"} x',
      'two values': '{"title":"a"}{"title":"b"}',
      'a comment': '{"title":"a"/*x*/}',
      'a trailing comma': '{"title":"a",}',
      'single quotes': "{'title':'a'}",
      NaN: '{"title":NaN}',
      'control character in a string': '{"title":"a\nb"}',
      'deep arrays': '['.repeat(100_000),
      'deep closed arrays': `{"title":"a","tags":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'deep objects': `{"title":"a","x":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      'a lone surrogate in a title': '{"title":"\\ud800"}',
      'NUL in a title': '{"title":"a\\u0000b"}',
      'a NUL byte': '{"title":"a\u0000b"}',
      'huge number as a title': `{"title":${'9'.repeat(10_000)}}`,
      1e999: '{"title":1e999}',
      __proto__: '{"title":"a","__proto__":{"status":"published"}}',
      constructor: '{"title":"a","constructor":{"prototype":{"x":1}}}',
      'no title but __proto__': '{"__proto__":{"title":"a"}}',
      toString: '{"title":"a","toString":1}',
      hasOwnProperty: '{"title":"a","hasOwnProperty":1}',
    };
    for (const [name, bytes] of Object.entries(refused)) t.replies(`${name} is 422`, await raw(bytes), 422);
    const bom = await raw('\ufeff{"title":"bom"}');
    t.ok('a BOM is taken or refused', [201, 422].includes(bom.status), bom.text);
    const twice = await raw('{"title":"first","title":"second"}');
    t.ok(
      'duplicate members: the last or a refusal',
      twice.status === 422 || (twice.status === 201 && twice.data.title === 'second'),
      twice.text,
    );
    for (const title of [
      'a\u2028b',
      '\u202eabc',
      '🎉'.repeat(100),
      'ﷺ',
      'a\tb',
      '<script>alert(1)</script>',
      '{{ 7*7 }}',
      '#{7*7}',
      "'; DROP TABLE content;--",
      '\\u0000',
      '%00',
      '\u007f',
      '\ufffd',
      '\ufffe',
    ]) {
      const reply = await site.call('POST', '/content', { title });
      t.replies(`title ${JSON.stringify(title).slice(0, 30)}`, reply, 201);
      t.is('comes back', reply.data?.title, title);
    }
    const lengths = [
      ['title', 2000],
      ['excerpt', 20_000],
      ['author', 1000],
    ] as const;
    for (const [name, most] of lengths) {
      t.replies(
        `${name} of ${most} characters`,
        await site.call('POST', '/content', { title: 'x', [name]: '🎉'.repeat(most / 2) }),
        201,
      );
      t.replies(
        `${name} of ${most + 1}`,
        await site.call('POST', '/content', { title: 'x', [name]: 'a'.repeat(most + 1) }),
        422,
      );
      t.replies(
        `${name} of ${most} wide characters`,
        await site.call('POST', '/content', { title: 'x', [name]: '漢'.repeat(most) }),
        201,
      );
    }
    t.replies(
      'source_ref of 800 wide characters',
      await site.call('POST', '/content', { title: 'x', source_ref: '漢'.repeat(800) }),
      [201, 422],
    );
    t.replies(
      '200 tags of 200 wide characters',
      await site.call('POST', '/content', {
        title: 'x',
        tags: Array.from({ length: 200 }, (_, i) => `${i}`.padEnd(200, '漢')),
      }),
      201,
    );
    t.replies(
      'settings with hostile members',
      await raw(
        `{"settings":{"__proto__":{"a":1},"constructor":1,"a":${'['.repeat(90)}${']'.repeat(90)}}}`,
        '',
        'PATCH',
      ),
      [200, 422],
    );
    t.replies(
      'settings very deep',
      await raw(`{"settings":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`, '', 'PATCH'),
      [200, 422],
    );
    t.replies(
      'settings with NUL',
      await raw('{"settings":{"a\\u0000b":"c\\u0000","d":"\\ud800"}}', '', 'PATCH'),
      [200, 422],
    );
    t.replies(
      'settings with a huge number',
      await raw('{"settings":{"n":1e400,"m":123456789012345678901234567890}}', '', 'PATCH'),
      [200, 422],
    );
    const read = await site.call('GET', '');
    t.replies('the site is read afterwards', read, 200);
    t.is('nothing was polluted', ({} as Any).a, undefined);
    for (const [target, body] of [
      ['/redirects', { from: '/a\u0000', to: '/b' }],
      ['/redirects', { from: '/a', to: '/b\u0000' }],
      ['/scripts', { name: 'a\u0000', code: '1' }],
      ['/scripts', { name: 'x', code: 'a\u0000\ud800' }],
      ['/languages', { locale: 'de\u0000' }],
      ['/languages', { locale: 'it', name: 'a\u0000\ud800' }],
      ['/webhooks', { mapper: 'autoseo', name: 'a\u0000' }],
      ['/webhooks', { mapper: 'autoseo', slug: 'a\u0000' }],
      ['/content', { title: 'x', excerpt: 'a\u0000' }],
      ['/content', { title: 'x', tags: ['a\u0000'] }],
      ['/content', { title: 'x', source_ref: 'a\u0000' }],
      ['/content', { title: 'x', slug: 'a\u0000b' }],
      ['/content', { title: 'x', seo_title: '\ud800' }],
    ] as const)
      t.ok(
        `hostile ${target} ${JSON.stringify(body)}`,
        [201, 422].includes((await site.call('POST', target, body)).status),
      );
    for (const ref of ['%00', '%ff', '%ed%a0%80', 'a'.repeat(2000), '..%2f', '%F0%9F%8E%89'.repeat(150)]) {
      const reply = await site.call('PUT', `/content/by-ref/${ref}`, { title: 'x' });
      t.ok(`by-ref ${ref.slice(0, 20)}`, [200, 201, 400, 404, 422].includes(reply.status), reply.text);
    }
    for (const handle of ['%00', '..', 'A%20B', 'a'.repeat(300), '%ff', '%2e%2e%2fx', 'a%2fb']) {
      const reply = await site.call('PUT', `/components/${handle}`, { type: 'html', source_code: 'x' });
      t.ok(
        `component handle ${handle.slice(0, 20)}`,
        [404, 405, 422, 400].includes(reply.status),
        `${reply.status} ${reply.text}`,
      );
    }
  });

  await t.part('HTTP', async () => {
    const { host } = new URL(world.gateways[0]!);
    const head = `Host: ${host}\r\nX-API-Key: ${key}\r\n`;
    const path = `/api/v1/sites/${site.slug}/content`;
    const before = (await site.call('GET', '/content')).json.pagination.total;
    const body = '{"title":"smuggled"}';
    const shapes: Record<string, string> = {
      'length and chunked': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/sites HTTP/1.1\r\n${head}\r\n`,
      'two lengths': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nContent-Length: 3\r\n\r\n${body}`,
      'a negative length': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: -1\r\n\r\n${body}`,
      'a length of text': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 0x14\r\n\r\n${body}`,
      'a length with plus': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: +20\r\n\r\n${body}`,
      'chunked and identity': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: identity, chunked, identity\r\n\r\n${body}`,
      'obscured chunked': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: xchunked\r\n\r\n${body}`,
      'space before the colon': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length : ${body.length}\r\n\r\n${body}`,
      'a folded header': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nX-A: b\r\n c: d\r\nContent-Length: 3\r\n\r\n{}x`,
      'bad chunk size': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
      'a chunk size with 0x': `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0x14\r\n${body}\r\n0\r\n\r\n`,
      'no version': `GET ${path}\r\n${head}\r\n`,
      'HTTP/9': `GET ${path} HTTP/9.9\r\n${head}\r\n`,
      'a bare LF head': `GET ${path} HTTP/1.1\n${head.replaceAll('\r', '')}\n`,
      'NUL in a header': `GET ${path} HTTP/1.1\r\n${head}X-A: a\u0000b\r\n\r\n`,
      'NUL in the target': `GET ${path}\u0000 HTTP/1.1\r\n${head}\r\n`,
      'a huge header': `GET ${path} HTTP/1.1\r\n${head}X-A: ${'a'.repeat(100_000)}\r\n\r\n`,
      'many headers': `GET ${path} HTTP/1.1\r\n${head}${Array.from({ length: 3000 }, (_, i) => `X-${i}: a\r\n`).join('')}\r\n`,
      'a huge target': `GET ${path}?q=${'a'.repeat(60_000)} HTTP/1.1\r\n${head}\r\n`,
      binary: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'no host': `GET ${path} HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`,
      'two hosts': `GET ${path} HTTP/1.1\r\n${head}Host: other\r\n\r\n`,
      'method of dirt': `G\u0001T ${path} HTTP/1.1\r\n${head}\r\n`,
      'lower-case method': `get ${path} HTTP/1.1\r\n${head}\r\n`,
      CONNECT: `CONNECT ${host} HTTP/1.1\r\n${head}\r\n`,
      TRACE: `TRACE ${path} HTTP/1.1\r\n${head}\r\n`,
      PRI: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      upgrade: `GET ${path} HTTP/1.1\r\n${head}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n\r\n`,
    };
    for (const [name, bytes] of Object.entries(shapes)) {
      const answer = await wire(Buffer.from(bytes, 'latin1'));
      const code = status(answer);
      t.ok(
        `${name}: refused or answered once, never 5xx`,
        count(answer) <= 1 && (code === 0 || code < 500 || code === 501 || code === 505),
        answer.slice(0, 400),
      );
    }
    for (const name of [
      'length and chunked',
      'two lengths',
      'bad chunk size',
      'space before the colon',
      'a negative length',
    ])
      t.ok(`${name} is 400`, status(await wire(Buffer.from(shapes[name]!, 'latin1'))) === 400, name);
    const absolute = await wire(`GET http://evil.example${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    t.is('an absolute target is answered', status(absolute), 200);
    for (const [target, withKey, without] of [
      ['/%61pi/v1/sites', 200, 401],
      ['/api/%76%31/sites', 200, 401],
      [`/api/v1/sites/${site.slug}/shell/%66ile/base.twig`, 200, 401],
      [`/api/v1/sites/${site.slug}/%63ontent`, 200, 401],
      ['HTTP://x/api/v1/sites', 200, 401],
      ['http://x', 404, 404],
    ] as const) {
      t.is(
        `${target} with a key`,
        status(await wire(`GET ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)),
        withKey,
      );
      t.is(
        `${target} without one`,
        status(await wire(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)),
        without,
      );
    }
    for (const target of [
      '*',
      '//',
      '/%',
      '/api/v1/%zz',
      '/api/v1/sites/%',
      '/api/v1/../v1/sites',
      '/api/v1/./sites',
      '/api/v1/sites/..%2f',
      '/api/v1\\sites',
      '/api/v1/sites?%',
      '/api/v1/sites;a=b',
      '/api/v1/sites#x',
      '/api/v1/sites/\u00ff',
      '/webhooks/',
      '/webhooks/%',
      '/webhooks',
      '/openapi.json/',
      '/openapi.json?x=%',
    ]) {
      const answer = await wire(Buffer.from(`GET ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`, 'latin1'));
      t.ok(`target ${target}`, status(answer) >= 200 && status(answer) < 500, answer.slice(0, 300));
    }
    const chunked = await wire(
      `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{"tit\r\nc\r\nle":"chunky"\r\n1\r\n}\r\n0\r\n\r\n`,
    );
    t.ok('chunked is taken', status(chunked) === 201, chunked.slice(0, 300));
    const expecting = await wire(
      `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 17\r\nConnection: close\r\n\r\n{"title":"hello"}`,
    );
    t.ok('100-continue is taken', /201 Created/.test(expecting), expecting.slice(0, 300));
    const compressed = await site.call('POST', '/content', undefined, {
      raw: 'xx',
      type: 'application/json',
      headers: { 'Content-Encoding': 'gzip' },
    });
    t.ok('a compressed body is refused', [415, 422, 400].includes(compressed.status), compressed.text);
    const total = (await site.call('GET', '/content')).json.pagination.total;
    t.is('nothing was smuggled in', total, before + 2);
    for (const header of [
      'X-Request-Id',
      'Idempotency-Key',
      'X-Delivery-Id',
      'If-None-Match',
      'Accept',
      'Range',
      'X-Forwarded-For',
      'X-HTTP-Method-Override',
    ]) {
      const reply = await call('GET', '/sites', { key, headers: { [header]: 'DELETE, "x", <y>; =\u00ff' } });
      t.ok(`${header} of dirt`, [200, 304].includes(reply.status), reply.status);
    }
    const given = await call('GET', '/sites', { key, headers: { 'X-Request-Id': 'my-id-1' } });
    t.ok('X-Request-Id', String(given.headers['x-request-id']).length > 0);
    const override = await site.call(
      'POST',
      '/content',
      { title: 'Over' },
      { headers: { 'X-HTTP-Method-Override': 'DELETE' } },
    );
    t.replies('no method override', override, 201);
  });

  await t.part('bodies where none belong', async () => {
    for (const target of ['', '/content', '/redirects'])
      t.replies(`GET ${target} with a body`, await site.call('GET', target, { a: 1 }), 200);
    const item = (await site.call('POST', '/content', { title: 'x' })).data;
    t.replies('DELETE with a body', await site.call('DELETE', `/content/${item.id}`, { a: 1 }), 200);
    t.replies('restore with an empty object', await site.call('POST', `/content/${item.id}/restore`, {}), 200);
    await site.call('DELETE', `/content/${item.id}`);
    t.replies(
      'restore with text/plain and nothing',
      await site.call('POST', `/content/${item.id}/restore`, undefined, { raw: '', type: 'text/plain' }),
      200,
    );
    t.replies(
      'fact check with a form type and {}',
      await site.call('POST', `/content/${item.id}/fact-check`, undefined, {
        raw: '{}',
        type: 'application/x-www-form-urlencoded',
      }),
      200,
    );
    t.replies(
      'snapshot with any type',
      await site.call('POST', '/shell/snapshot', undefined, { raw: '{}', type: 'text/csv' }),
      201,
    );
  });
}
