import { randomUUID } from 'node:crypto';
import type { Report } from '../report.ts';
import { type Any, form, makeKey, makeSite } from '../world.ts';

export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  const post = (target: string, body: unknown, idempotencyKey: string, options: Any = {}) =>
    site.call('POST', target, body, { ...options, headers: { 'Idempotency-Key': idempotencyKey, ...options.headers } });

  await t.part('replay', async () => {
    for (const [target, body] of [
      ['/content', { title: 'Once' }],
      ['/redirects', { from: `/i-${randomUUID()}`, to: '/x' }],
      ['/scripts', { name: 's', code: '1' }],
      ['/languages', { locale: 'fr' }],
      ['/publish', undefined],
      ['/shell/snapshot', undefined],
      ['/webhooks', { mapper: 'autoseo' }],
    ] as const) {
      const name = randomUUID();
      const first = await post(target, body, name, { gateway: 0 });
      const again = await post(target, body, name, { gateway: 1 });
      t.ok(`${target} is done`, first.status < 300 && first.headers['idempotency-replayed'] === undefined, first.text);
      t.is(
        `${target} is replayed by the other replica`,
        [again.status, again.text, again.headers['idempotency-replayed']],
        [first.status, first.text, 'true'],
      );
    }
    const name = randomUUID();
    const first = await post('/content', { title: 'Same', tags: ['a'] }, name);
    t.replies('another body', await post('/content', { title: 'Other' }, name), 422);
    const raw = await site.call('POST', '/content', undefined, {
      raw: '{"title":"Same","tags":["a"]}',
      type: 'application/json',
      headers: { 'Idempotency-Key': name },
    });
    t.is('the same bytes', raw.data?.id, first.data.id);
    t.replies('another path is another request', await post('/scripts', { name: 's', code: '1' }, name), 201);
    const other = await makeKey();
    const theirs = await site.call(
      'POST',
      '/content',
      { title: 'Same', tags: ['a'] },
      { key: other, headers: { 'Idempotency-Key': name } },
    );
    t.ok('another API key is another request', theirs.status === 201 && theirs.data.id !== first.data.id, theirs.text);
    const patch = await site.call(
      'PATCH',
      `/content/${first.data.id}`,
      { title: 'P' },
      { headers: { 'Idempotency-Key': name } },
    );
    t.ok('PATCH ignores the header', patch.status === 200 && !patch.headers['idempotency-replayed']);
    t.replies(
      'PATCH ignores a malformed one',
      await site.call('PATCH', `/content/${first.data.id}`, { title: 'P' }, { headers: { 'Idempotency-Key': 'a b' } }),
      200,
    );
    t.replies(
      'GET ignores a malformed one',
      await site.call('GET', '/content', undefined, { headers: { 'Idempotency-Key': 'é' } }),
      200,
    );
    const query = await post('/content?x=1', { title: 'Same', tags: ['a'] }, name);
    t.ok('a query is answered somehow', [200, 201, 422].includes(query.status), query.text);
  });

  await t.part('form of the key', async () => {
    for (const good of ['a', '!', '~', 'x'.repeat(255), '"quoted"', randomUUID()])
      t.replies(`key ${good.slice(0, 10)}`, await post('/content', { title: 'K' }, good), 201);
    for (const bad of ['x'.repeat(256), 'a b', 'é', 'tab\there', ''])
      t.replies(`key ${JSON.stringify(bad.slice(0, 10))}`, await post('/content', { title: 'K' }, bad), 422);
    const twice = await site.call(
      'POST',
      '/content',
      { title: 'K' },
      { headers: { 'Idempotency-Key': ['one', 'two'] } },
    );
    t.replies('two headers', twice, [422, 400]);
    const spaced = await site.call(
      'POST',
      '/content',
      { title: 'K' },
      { headers: { 'Idempotency-Key': '  padded  ' } },
    );
    t.replies('white space around is no part of a header', spaced, 201);
  });

  await t.part('refusals', async () => {
    const name = randomUUID();
    const first = await post('/content', { title: '' }, name);
    const again = await post('/content', { title: '' }, name);
    t.is(
      'a 422 is replayed',
      [first.status, again.status, again.headers['idempotency-replayed'], again.text],
      [422, 422, 'true', first.text],
    );
    t.replies(
      'with another body 422',
      await post('/content', { title: 'Mended' }, name),
      422,
      'idempotency_key_reused',
    );
    const from = `/taken-${randomUUID()}`;
    await site.call('POST', '/redirects', { from, to: '/x' });
    const conflict = randomUUID();
    t.replies('409', await post('/redirects', { from, to: '/y' }, conflict), 409);
    const replayed = await post('/redirects', { from, to: '/y' }, conflict);
    t.is(
      'a 409 of the handler is replayed',
      [replayed.status, replayed.headers['idempotency-replayed']],
      [409, 'true'],
    );
    const missing = randomUUID();
    const restore = `/content/${randomUUID()}/restore`;
    await post(restore, undefined, missing);
    t.is(
      'a 404 of the handler is replayed',
      (await post(restore, undefined, missing)).headers['idempotency-replayed'],
      'true',
    );
    const late = randomUUID();
    await site.call('POST', '/content', { title: 'x' }, { key: 'fs_bad', headers: { 'Idempotency-Key': late } });
    t.replies('a 401 keeps no key', await post('/content', { title: 'y' }, late), 201);
    const json = randomUUID();
    await site.call('POST', '/content', undefined, {
      raw: '{',
      type: 'application/json',
      headers: { 'Idempotency-Key': json },
    });
    t.replies('malformed JSON comes before the key', await post('/content', { title: 'y' }, json), 201);
  });

  await t.part('at once', async () => {
    for (const gateway of [0, undefined]) {
      const name = randomUUID();
      const body = { title: `Race ${name}`, body_html: '<p>x</p>'.repeat(2000) };
      const many = await Promise.all(
        Array.from({ length: 20 }, () => post('/content', body, name, gateway === undefined ? {} : { gateway })),
      );
      t.ok(
        'each is 201 or 409',
        many.every((one) => [201, 409].includes(one.status)),
        many.map((one) => one.status),
      );
      t.is('one item', new Set(many.filter((one) => one.status === 201).map((one) => one.data.id)).size, 1);
      t.is(
        'one that was not a replay',
        many.filter((one) => one.status === 201 && !one.headers['idempotency-replayed']).length,
        1,
      );
      for (const one of many.filter((each) => each.status === 409))
        t.ok('409 in flight has Retry-After', /^[1-9]\d*$/.test(String(one.headers['retry-after'])), one.headers);
      const { data } = await site.call('GET', `/content?q=${encodeURIComponent(name)}`);
      t.is('stored once', data.length, 1);
      t.is('later: replayed', (await post('/content', body, name)).headers['idempotency-replayed'], 'true');
    }
    const name = randomUUID();
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post('/content', { title: `Different ${i} ${name}` }, name)),
    );
    t.is('20 bodies with one key: one is done', many.filter((one) => one.status === 201).length, 1);
    t.ok(
      'the others 409 or 422',
      many.every((one) => [201, 409, 422].includes(one.status)),
      many.map((one) => one.status),
    );
    t.is('and stored once', (await site.call('GET', `/content?q=${encodeURIComponent(name)}`)).data.length, 1);
  });

  await t.part('multipart', async () => {
    const name = randomUUID();
    const parts = (alt: string, bytes = 'hello file') =>
      form([
        { name: 'alt', value: alt },
        { name: 'file', value: bytes, filename: 'a.txt', type: 'text/plain' },
      ]);
    const first = await post('/media', undefined, name, parts('A'));
    t.replies('upload', first, 201);
    const again = await post('/media', undefined, name, parts('A'));
    t.is(
      'another boundary is the same body',
      [again.status, again.data?.id, again.headers['idempotency-replayed']],
      [201, first.data?.id, 'true'],
    );
    t.replies('another field', await post('/media', undefined, name, parts('B')), 422);
    t.replies('other bytes', await post('/media', undefined, name, parts('A', 'hello  file')), 422);
    const race = randomUUID();
    const many = await Promise.all(
      Array.from({ length: 10 }, () => post('/media', undefined, race, parts('race', race))),
    );
    t.is(
      '10 uploads at once: one item',
      new Set(many.filter((one) => one.status === 201).map((one) => one.data.id)).size,
      1,
    );
  });
}
