import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Report } from '../report.ts';
import { type Any, eventually, form, makeSite, publish, visit } from '../world.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const picture = (width: number, height: number, background = '#369') =>
  sharp({ create: { width, height, channels: 3, background } });

export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  const png = await picture(400, 300).png().toBuffer();
  const upload = (
    bytes: Buffer | string,
    fields: Record<string, string> = {},
    filename = 'a.png',
    type = 'image/png',
    on = site,
  ) =>
    on.call(
      'POST',
      '/media',
      undefined,
      form([
        ...Object.entries(fields).map(([name, value]) => ({ name, value })),
        { name: 'file', value: bytes, filename, type },
      ]),
    );
  const json = (body: Any) => site.call('POST', '/media', body);

  await t.part('upload', async () => {
    const made = await upload(png, { alt: 'Blue' });
    const named = [
      'alt',
      'bytes',
      'created_at',
      'decorative',
      'duration',
      'filename',
      'height',
      'id',
      'kind',
      'mime_type',
      'sha256',
      'source_url',
      'status',
      'trashed_at',
      'url',
      'variants',
      'width',
    ];
    t.is(
      'a record has every member',
      named.filter((name) => !(name in made.data)),
      [],
    );
    t.is(
      'record',
      [
        made.status,
        made.data?.kind,
        made.data?.filename,
        made.data?.mime_type,
        made.data?.bytes,
        made.data?.width,
        made.data?.height,
        made.data?.alt,
        made.data?.decorative,
        made.data?.sha256,
        made.data?.trashed_at,
      ],
      [201, 'image', 'a.png', 'image/png', png.length, 400, 300, 'Blue', false, sha256(png), null],
    );
    const ready = await eventually('ready', async () => {
      const { data } = await site.call('GET', `/media/${made.data.id}`);
      return data.status === 'ready' && data.variants.length > 0 ? data : undefined;
    });
    t.ok(
      'variants',
      ready.variants.every((one: Any) => one.format && one.width <= 400 && one.bytes > 0 && one.url),
      ready.variants,
    );
    const original = await visit(new URL(ready.url).pathname);
    t.ok('the original byte for byte', original.status === 200 && original.bytes.equals(png), original.status);
    for (const one of ready.variants) {
      const reply = await visit(new URL(one.url).pathname);
      t.is(`variant ${one.format} ${one.width}`, [reply.status, reply.bytes.length], [200, one.bytes]);
    }
    t.replies('no alt', await upload(png), 422);
    t.replies('an empty alt', await upload(png, { alt: '' }), 422);
    t.replies('alt of white space', await upload(png, { alt: '   ' }), 422);
    t.replies('decorative=false and no alt', await upload(png, { decorative: 'false' }), 422);
    t.is('refused leaves nothing', (await site.call('GET', '/media')).json.pagination.total, 1);
    for (const value of ['true', '1'])
      t.is(`decorative=${value}`, (await upload(png, { decorative: value })).data?.decorative, true);
    for (const value of ['yes', 'TRUE', 'maybe', '2'])
      t.replies(`decorative=${value}`, await upload(png, { decorative: value }), [201, 422]);
    t.is('the kind is from the bytes', (await upload(png, { alt: 'x' }, 'a.txt', 'text/plain')).data?.kind, 'image');
    t.is('a name makes no image', (await upload('not an image', {}, 'a.png', 'image/png')).data?.kind, 'file');
    t.is('text is a file', (await upload('hello', {}, 'a.txt', 'text/plain')).data?.kind, 'file');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
    t.replies('svg without alt', await upload(svg, {}, 'a.svg', 'image/svg+xml'), 422);
    const drawn = await upload(svg, { alt: 's' }, 'a.svg', 'image/svg+xml');
    const served = await visit(new URL(drawn.data.url).pathname);
    t.ok(
      'SVG runs no script',
      /sandbox|script-src 'none'|default-src 'none'/.test(String(served.headers['content-security-policy'])),
      served.headers,
    );
    const html = await upload('<!doctype html><script>alert(1)</script>', {}, 'a.html', 'text/html');
    const page = await visit(new URL(html.data.url).pathname);
    t.ok(
      'HTML runs no script',
      /attachment/.test(String(page.headers['content-disposition'])) ||
        !/html/.test(String(page.headers['content-type'])),
      page.headers,
    );
    t.ok('nosniff', page.headers['x-content-type-options'] === 'nosniff', page.headers);
    for (const name of [
      '../../etc/passwd',
      'a"b.txt',
      'ünï 日本.txt',
      'a\\b.txt',
      '',
      '.',
      '..',
      'a/b.txt',
      'x'.repeat(300),
      'CON',
      'a;b=c.txt',
      'a%0d%0ab.txt',
    ]) {
      const reply = await upload(`file ${name}`, {}, name.replaceAll('"', '%22'), 'text/plain');
      t.replies(`filename ${name.slice(0, 20)}`, reply, name === '' ? [201, 422] : 201);
      if (reply.status === 201) {
        t.ok(
          'a filename, no path',
          !/[/\\]/.test(reply.data.filename) && reply.data.filename.length > 0,
          reply.data.filename,
        );
        const got = await visit(new URL(reply.data.url).pathname);
        t.is('fetched', [got.status, got.text], [200, `file ${name}`]);
      }
    }
    t.replies('an empty file', await upload('', {}, 'empty.txt', 'text/plain'), [201, 422]);
    t.replies(
      'neither file nor url',
      await site.call('POST', '/media', undefined, form([{ name: 'alt', value: 'x' }])),
      422,
    );
    t.replies('neither, as JSON', await json({ alt: 'x' }), 422);
    t.replies('an unknown field', await upload(png, { alt: 'x', nope: '1' }), 422);
    t.replies(
      'two files',
      await site.call(
        'POST',
        '/media',
        undefined,
        form([
          { name: 'file', value: 'a', filename: 'a.txt' },
          { name: 'file', value: 'b', filename: 'b.txt' },
        ]),
      ),
      422,
    );
    t.is(
      'a file wins over a url',
      (
        await site.call(
          'POST',
          '/media',
          undefined,
          form([
            { name: 'url', value: 'http://10.0.0.1/' },
            { name: 'file', value: 'wins', filename: 'w.txt' },
          ]),
        )
      ).data?.source_url,
      null,
    );
    for (const [name, raw, type] of [
      ['no boundary', 'x', 'multipart/form-data'],
      [
        'cut',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
        'multipart/form-data; boundary=b',
      ],
      ['no parts', '--b--\r\n', 'multipart/form-data; boundary=b'],
      ['dirt', '\u0000\u0001', 'multipart/form-data; boundary=b'],
      ['empty', '', 'multipart/form-data; boundary=b'],
      [
        'huge part header',
        `--b\r\nContent-Disposition: form-data; name="file"; filename="${'a'.repeat(200_000)}"\r\n\r\nabc\r\n--b--\r\n`,
        'multipart/form-data; boundary=b',
      ],
    ] as const)
      t.replies(`multipart: ${name}`, await site.call('POST', '/media', undefined, { raw, type }), [
        422,
        ...(name === 'huge part header' ? [413, 400, 201] : []),
      ]);
    for (const type of ['text/plain', 'image/png', 'application/octet-stream', null])
      t.replies(
        `content type ${type}`,
        await site.call('POST', '/media', undefined, { raw: 'x', type }),
        type ? 415 : [415, 422],
      );
    const pixels = await picture(8000, 6251).png().toBuffer();
    t.replies('more than 50 megapixels', await upload(pixels, { alt: 'x' }), 422);
    t.replies(
      'an image of 25 MiB and one',
      await upload(Buffer.concat([png, Buffer.alloc(25 * 1024 * 1024 + 1 - png.length)]), { alt: 'x' }),
      413,
    );
    t.replies(
      'an image of 25 MiB',
      await upload(Buffer.concat([png, Buffer.alloc(25 * 1024 * 1024 - png.length)]), { alt: 'x' }),
      201,
    );
    const cut = await upload(png.subarray(0, 200), { alt: 'cut' });
    if (cut.status === 201)
      await eventually('a cut image ends', async () =>
        ['failed', 'ready'].includes((await site.call('GET', `/media/${cut.data.id}`)).data.status),
      );
    t.replies('a cut image', cut, [201, 422]);
  });

  await t.part('import', async () => {
    for (const url of [
      'http://127.0.0.1/x.png',
      'http://localhost/x.png',
      'http://10.0.0.1/',
      'http://192.168.1.1/',
      'http://172.16.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[fd00::1]/',
      'http://0.0.0.0/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://017700000001/',
      'http://127.1/',
      'http://100.64.0.1/',
      'http://[64:ff9b::7f00:1]/',
      'ftp://example.com/x',
      'file:///etc/passwd',
      'gopher://x',
      'data:image/png;base64,AAAA',
      'javascript:1',
      'not a url',
      '',
      '//x',
      'http://',
      'http://user:pass@127.0.0.1/',
      'http://127.0.0.1:22/',
      5,
      null,
      {},
      [],
      `http://x.example/${'a'.repeat(9000)}`,
    ]) {
      const reply = await json({ url, alt: 'x' });
      if (t.replies(`url ${JSON.stringify(url).slice(0, 60)}`, reply, 422))
        t.ok(
          'says nothing of what answers',
          !/ECONNREFUSED|refused|timeout|open|closed/i.test(reply.error.message) || !String(url).includes('127'),
          reply.error.message,
        );
    }
    t.replies('alt of another type', await json({ url: 'http://10.0.0.1', alt: 5 }), 422);
    t.replies('decorative of another type', await json({ url: 'http://10.0.0.1', decorative: 'true' }), 422);
  });

  await t.part('library', async () => {
    const own = await makeSite();
    const image = (await upload(png, { alt: 'i' }, 'i.png', 'image/png', own)).data;
    const file = (await upload('text', {}, 'f.txt', 'text/plain', own)).data;
    const ids = async (query: string) => (await own.call('GET', `/media?${query}`)).data?.map((one: Any) => one.id);
    t.is('newest first', await ids(''), [file.id, image.id]);
    t.is('kind=image', await ids('kind=image'), [image.id]);
    t.is('kind=file', await ids('kind=file'), [file.id]);
    t.is('kind=video', await ids('kind=video'), []);
    t.is('kind=image,file', await ids('kind=image,file'), [file.id, image.id]);
    t.is('kind=image%2Cvideo', await ids('kind=image%2Cvideo'), [image.id]);
    for (const query of ['kind=audio', 'kind=', 'kind=image,', 'kind=Image', 'kind=image,nope', 'kind=image%00'])
      t.replies(query, await own.call('GET', `/media?${query}`), 422);
    const patched = await own.call('PATCH', `/media/${image.id}`, { alt: 'new' });
    t.is('PATCH alt', patched.data?.alt, 'new');
    for (const body of [
      { alt: '' },
      { alt: null },
      { alt: 5 },
      { decorative: 'x' },
      { nope: 1 },
      { decorative: false, alt: '' },
    ])
      t.replies(`PATCH ${JSON.stringify(body)}`, await own.call('PATCH', `/media/${image.id}`, body), 422);
    t.replies('PATCH decorative', await own.call('PATCH', `/media/${image.id}`, { decorative: true }), 200);
    t.replies(
      'a read record can be sent back',
      await own.call('PATCH', `/media/${image.id}`, (await own.call('GET', `/media/${image.id}`)).data),
      200,
    );
    t.replies('restore of what is not in the trash', await own.call('POST', `/media/${file.id}/restore`), 409);
    t.replies('purge of what is not in the trash', await own.call('DELETE', `/media/${file.id}/purge`), 409);
    const gone = await own.call('DELETE', `/media/${file.id}`);
    t.ok('trash', gone.status === 200 && gone.data.id === file.id && gone.data.trashed_at, gone.text);
    t.replies('GET of the trashed', await own.call('GET', `/media/${file.id}`), 404);
    t.replies('PATCH of the trashed', await own.call('PATCH', `/media/${file.id}`, { alt: 'x' }), 404);
    t.is(
      'in the trash',
      (await own.call('GET', '/media/trash')).data.map((one: Any) => one.id),
      [file.id],
    );
    t.is('not in the list', await ids(''), [image.id]);
    const back = await own.call('POST', `/media/${file.id}/restore`);
    t.is('restore', [back.status, back.data?.id, back.data?.trashed_at], [200, file.id, null]);
    await own.call('DELETE', `/media/${file.id}`);
    const purged = await own.call('DELETE', `/media/${file.id}/purge`);
    t.is('purge', [purged.status, purged.data], [200, { id: file.id, deleted: true }]);
    t.replies('purge again', await own.call('DELETE', `/media/${file.id}/purge`), 404);
    await own.call('POST', '/content', {
      title: 'P',
      type: 'page',
      status: 'published',
      body_html: `<img src="media:${image.id}" alt="In page">`,
    });
    await eventually('ready', async () => (await own.call('GET', `/media/${image.id}`)).data.status === 'ready');
    await publish(own);
    const page = await visit(`/sites/${own.slug}/p/`);
    t.ok('a responsive picture', /<picture/.test(page.text) && /srcset/.test(page.text), page.text.slice(0, 2500));
    for (const link of page.text.matchAll(/srcset="([^"]*)"/g))
      for (const one of link[1]!.split(',')) {
        const target = one.trim().split(' ')[0]!;
        t.replies(
          `variant ${target.slice(-40)}`,
          await visit(new URL(target, `http://x/sites/${own.slug}/p/`).pathname),
          200,
        );
      }
    await own.call('DELETE', `/media/${image.id}`);
    t.replies('purge of what live pages use', await own.call('DELETE', `/media/${image.id}/purge`), 409);
    const other = await makeSite();
    t.replies('of another site', await other.call('GET', `/media/${image.id}`), 404);
    t.replies(
      'featured of another site',
      await other.call('POST', '/content', { title: 'x', featured_media_id: image.id }),
      422,
    );
    t.replies(
      'featured in the trash',
      await own.call('POST', '/content', { title: 'x', featured_media_id: image.id }),
      [201, 422],
    );
    await own.call('POST', `/media/${image.id}/restore`);
    t.is(
      'featured',
      (await own.call('POST', '/content', { title: 'x', featured_media_id: image.id })).data?.featured_media_id,
      image.id,
    );
    const race = await Promise.all(
      Array.from({ length: 10 }, () => upload(png, { alt: 'same' }, 'i.png', 'image/png', own)),
    );
    t.is(
      '10 uploads of the same bytes',
      [race.map((one) => one.status), new Set(race.map((one) => one.data?.id)).size],
      [Array(10).fill(201), 10],
    );
  });
}
