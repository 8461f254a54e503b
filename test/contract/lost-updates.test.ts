import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../services/gateway/routes.ts';
import { type ApiReply, closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { upload } from '../harness/media.ts';
import { makeIntegration } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

/** A record that a route changes. */
interface Subject {
  /** Below its site. */
  path: string;
  /** The tag of the record as it is first. */
  tag: string;
  /** Changes the record, so that the first tag is no longer its tag. */
  change: () => Promise<ApiReply>;
  /** What a client sees of the record. */
  read: () => Promise<ApiReply>;
  /** A body of the route; each number asks for something else. */
  body?: (n: number) => unknown;
  /** The site that has the record. */
  of?: TestSite;
}

type Make = () => Promise<Subject>;

const tagOf = ({ headers }: ApiReply) => headers.get('etag')!;

async function send(of: TestSite, method: string, path: string, body?: unknown, headers = {}): Promise<ApiReply> {
  if (body instanceof FormData) return of.request(method, path, undefined, { raw: body, headers });
  if (typeof body !== 'string') return of.request(method, path, body, { headers });
  return of.request(method, path, undefined, { raw: body, headers });
}

async function made(method: string, path: string, body?: unknown): Promise<ApiReply> {
  const reply = await send(site, method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}

/** A record with an id that a POST makes and a PATCH changes. */
const record =
  (path: string, body: () => object, changed: (n: number) => object, inTrash = false): Make =>
  async () => {
    const first = await made('POST', path, body());
    const one = `${path}/${first.data.id}`;
    const trashed = inTrash ? await made('DELETE', one) : first;
    return {
      path: inTrash ? `${one}/purge` : one,
      tag: tagOf(trashed),
      async change() {
        if (inTrash) await made('POST', `${one}/restore`);
        const reply = await made('PATCH', one, changed(0));
        return inTrash ? made('DELETE', one) : reply;
      },
      read: () => site.request('GET', inTrash ? `${path}/trash?per_page=100` : `${path}?per_page=100`),
      body: changed,
    };
  };

const item = (inTrash = false) =>
  record(
    '/content',
    () => ({ title: randomUUID() }),
    (n) => ({ title: `T${n}` }),
    inTrash,
  );
const redirect = record(
  '/redirects',
  () => ({ from: `/${randomUUID()}`, to: '/b' }),
  (n) => ({ to: `/c${n}` }),
);
const script = record(
  '/scripts',
  () => ({ name: 'one', code: '1' }),
  (n) => ({ code: `${n + 2}` }),
);
const endpoint = record(
  '/event-endpoints',
  () => ({ url: 'https://events.example/a', events: ['site.published'] }),
  (n) => ({ url: `https://events.example/b${n}` }),
);

const media =
  (inTrash = false): Make =>
  async () => {
    const { data } = await upload(site, Buffer.from(randomUUID()), { fields: {} });
    const one = `/media/${data.id}`;
    const first = inTrash ? await made('DELETE', one) : await site.request('GET', one);
    return {
      path: inTrash ? `${one}/purge` : one,
      tag: tagOf(first),
      async change() {
        if (inTrash) await made('POST', `${one}/restore`);
        const reply = await made('PATCH', one, { alt: 'Other words' });
        return inTrash ? made('DELETE', one) : reply;
      },
      read: () => site.request('GET', inTrash ? '/media/trash?per_page=100' : one),
      body: (n) => ({ alt: `Words ${n}` }),
    };
  };

function fileForm(text: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([text]), 'note.txt');
  return form;
}

const replacement =
  (action: 'replace' | 'undo-replacement'): Make =>
  async () => {
    const { data } = await upload(site, Buffer.from(randomUUID()), { fields: {} });
    const one = `/media/${data.id}`;
    const first = await made('POST', `${one}/replace`, fileForm(randomUUID()));
    return {
      path: `${one}/${action}`,
      tag: tagOf(first),
      change: () => made('PATCH', one, { alt: 'Other words' }),
      read: () => site.request('GET', one),
      ...(action === 'replace' ? { body: (n) => fileForm(`${n}`) } : {}),
    };
  };

const webhook: Make = async () => {
  const { id } = await makeIntegration(site, 'create_post');
  const path = `/webhooks/${id}`;
  return {
    path,
    tag: tagOf(await made('PATCH', path, {})),
    change: () => made('PATCH', path, { name: 'Other words' }),
    read: () => site.request('GET', '/webhooks?per_page=100'),
    body: (n) => ({ name: `Words ${n}` }),
  };
};

/** A record whose path a client chooses: PUT makes it and replaces it. */
const named = (path: () => string, content: (n: number | string) => unknown): Make => {
  return async () => {
    const one = path();
    return {
      path: one,
      tag: tagOf(await made('PUT', one, content('first'))),
      change: () => made('PUT', one, content('changed')),
      read: () => site.request('GET', one.includes('by-ref') ? '/content?per_page=100' : one),
      body: content,
    };
  };
};
const shellFile = named(
  () => `/shell/file/css/${randomUUID()}.css`,
  (n) => `a{--n:${n}}`,
);
const component = named(
  () => `/components/c-${randomUUID()}`,
  (n) => ({ type: 'html', source_code: `Note ${n}` }),
);
const byRef = named(
  () => `/content/by-ref/${randomUUID()}`,
  (n) => ({ title: `Title ${n}` }),
);

const type = named(
  () => `/types/t${randomUUID()}`,
  (n) => ({ name: `Type ${n}`, fields_schema: {} }),
);

const wholeSite: Make = async () => {
  const of = await makeSite();
  return {
    of,
    path: '',
    tag: tagOf(await of.request('GET', '')),
    change: () => of.request('PATCH', '', { name: 'Other words' }),
    read: () => of.request('GET', ''),
    body: (n) => ({ name: `Words ${n}` }),
  };
};

const language: Make = async () => {
  const of = await makeSite();
  const first = await of.request('POST', '/languages', { locale: 'de' });
  return {
    of,
    path: '/languages/de',
    tag: tagOf(first),
    async change() {
      await of.request('DELETE', '/languages/de');
      return of.request('POST', '/languages', { locale: 'de', name: 'Deutsch' });
    },
    read: () => of.request('GET', '/languages'),
  };
};

const revision: Make = async () => {
  const { data } = await made('POST', '/content', { title: 'Old words' });
  const path = `/content/${data.id}`;
  const first = await made('PATCH', path, { title: 'Other words' });
  return {
    path: `${path}/revisions/1/restore`,
    tag: tagOf(first),
    change: () => made('PATCH', path, { title: 'Newest words' }),
    read: () => site.request('GET', path),
  };
};

const draft: Make = async () => {
  const { data } = await made('POST', '/content', { title: 'Old words' });
  const path = `/content/${data.id}/draft`;
  return {
    path,
    tag: tagOf(await made('PUT', path, { title: 'Half' })),
    change: () => made('PUT', path, { title: 'Other words' }),
    read: () => site.request('GET', path),
    body: (n) => ({ title: `Words ${n}` }),
  };
};

const appliedDraft: Make = async () => {
  const first = await made('POST', '/content', { title: 'Old words' });
  const path = `/content/${first.data.id}`;
  await made('PUT', `${path}/draft`, { title: 'Of the draft' });
  return {
    path: `${path}/draft/apply`,
    tag: tagOf(first),
    change: () => made('PATCH', path, { excerpt: 'Other words' }),
    read: () => site.request('GET', path),
  };
};

const subjects: Readonly<Record<string, Make>> = {
  'PATCH /sites/:site': wholeSite,
  'DELETE /sites/:site': wholeSite,
  'DELETE /sites/:site/languages/:locale': language,
  'PATCH /sites/:site/content/:id': item(),
  'DELETE /sites/:site/content/:id': item(),
  'DELETE /sites/:site/content/:id/purge': item(true),
  'PUT /sites/:site/content/by-ref/:source_ref': byRef,
  'POST /sites/:site/content/:id/revisions/:rev/restore': revision,
  'PUT /sites/:site/content/:id/draft': draft,
  'DELETE /sites/:site/content/:id/draft': draft,
  'POST /sites/:site/content/:id/draft/apply': appliedDraft,
  'PATCH /sites/:site/media/:id': media(),
  'DELETE /sites/:site/media/:id': media(),
  'DELETE /sites/:site/media/:id/purge': media(true),
  'POST /sites/:site/media/:id/replace': replacement('replace'),
  'POST /sites/:site/media/:id/undo-replacement': replacement('undo-replacement'),
  'PUT /sites/:site/shell/file/*': shellFile,
  'DELETE /sites/:site/shell/file/*': shellFile,
  'PUT /sites/:site/components/:handle': component,
  'DELETE /sites/:site/components/:handle': component,
  'PUT /sites/:site/types/:type': type,
  'DELETE /sites/:site/types/:type': type,
  'PATCH /sites/:site/redirects/:id': redirect,
  'DELETE /sites/:site/redirects/:id': redirect,
  'PATCH /sites/:site/scripts/:id': script,
  'DELETE /sites/:site/scripts/:id': script,
  'PATCH /sites/:site/webhooks/:id': webhook,
  'DELETE /sites/:site/webhooks/:id': webhook,
  'PATCH /sites/:site/event-endpoints/:id': endpoint,
  'DELETE /sites/:site/event-endpoints/:id': endpoint,
};

// rule: beyond.2
test('every route below a site that changes or deletes one record honours If-Match', () => {
  const guarded = routes.filter(({ etag }) => etag).map(({ method, path }) => `${method} ${path}`);
  const changing = routes.filter(({ method }) => ['PATCH', 'PUT', 'DELETE'].includes(method));
  expect(guarded.toSorted()).toEqual(Object.keys(subjects).toSorted());
  expect(changing.map(({ method, path }) => `${method} ${path}`).filter((name) => !guarded.includes(name))).toEqual([]);
});

describe.each(Object.entries(subjects))('%s', (name, make) => {
  const method = name.split(' ')[0]!;
  const write = ({ of = site, path, body }: Subject, tag: string, n = 1) =>
    send(of, method, path, body && method !== 'DELETE' ? body(n) : undefined, { 'If-Match': tag });

  // rule: beyond.2
  test('is 412 for the tag of an earlier version, names the present one and changes nothing', async () => {
    const subject = await make();
    const changed = await subject.change();
    expect(changed.status).toBeLessThan(300);
    const before = await subject.read();
    const refused = await write(subject, subject.tag);
    expect([refused.status, refused.error.code]).toEqual([412, 'precondition_failed']);
    expect((await subject.read()).text).toBe(before.text);
    const present = tagOf(refused);
    expect([present === subject.tag, present]).toEqual([false, tagOf(changed)]);
    expect((await write(subject, `"x", W/${present}`)).status).toBeLessThan(300);
  });

  // rule: beyond.3
  test('lets exactly one of five writers with the same tag pass', async () => {
    const subject = await make();
    const replies = await Promise.all([1, 2, 3, 4, 5].map((n) => write(subject, subject.tag, n)));
    const loser = method === 'DELETE' ? [404, 412] : [412];
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(replies.filter(({ status }) => !loser.includes(status) && status >= 300)).toEqual([]);
  });

  // rule: beyond.2
  test('takes * for any version, and refuses what is neither * nor a list of tags', async () => {
    const subject = await make();
    for (const header of ['abc', '"a" "b"', '"a", *', 'w/"a"', '"a', ',']) {
      const refused = await write(subject, header);
      expect([header, refused.status, refused.error?.details]).toEqual([
        header,
        422,
        [{ path: 'If-Match', message: 'must be * or entity tags in double quotes, as `ETag` has them' }],
      ]);
    }
    expect((await write(subject, '*')).status).toBeLessThan(300);
  });

  test('tells that there is no such record', async () => {
    const { of = site, path, body } = await make();
    if (path === '') return; // a site that does not exist is 404 before
    const missing = path
      .replace(/[\w-]{36}/, (name) => name[0] + randomUUID().slice(1))
      .replace('/languages/de', '/languages/fr');
    const reply = await send(of, method, missing, body && method !== 'DELETE' ? body(1) : undefined, {
      'If-Match': '*',
    });
    expect(reply.status).toBe(method === 'PUT' && !path.endsWith('/draft') ? 412 : 404); // no item, no draft
  });
});

describe('an entity tag', () => {
  // rule: beyond.1
  test('is the same for the bytes of a shell file and for its record', async () => {
    const path = '/shell/file/css/tagged.css';
    const written = await made('PUT', path, 'a{}');
    expect(tagOf(await site.request('GET', path))).toBe(tagOf(written));
    expect(tagOf(await made('PUT', path, 'a{}'))).toBe(tagOf(written));
  });

  // rule: beyond.1
  test('is the same for a component with and without its source code', async () => {
    const written = await made('PUT', '/components/tagged', { type: 'html', source_code: 'Note' });
    for (const query of ['', '?fields=css', '?fields=source_code'])
      expect([query, tagOf(await site.request('GET', `/components/tagged${query}`))]).toEqual([query, tagOf(written)]);
  });

  test('of an item changes when it is trashed and when it is restored, and not with the members that are shown', async () => {
    const first = await made('POST', '/content', { title: 'Tagged' });
    const path = `/content/${first.data.id}`;
    expect(tagOf(await site.request('GET', `${path}?fields=title`))).toBe(tagOf(first));
    const trashed = await made('DELETE', path);
    const restored = await made('POST', `${path}/restore`);
    expect(new Set([first, trashed, restored].map(tagOf)).size).toBe(3);
    expect(tagOf(await site.request('GET', path))).toBe(tagOf(restored));
  });
});
