import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, makeSite, type TestSite } from '../harness/api.ts';

const markdown = 'a *b*<script>x()</script>\n\n| c |\n| - |\n| d |';
const html =
  '<p>a <em>b</em></p>\n<table>\n<thead>\n<tr>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>d</td>\n</tr>\n</tbody>\n</table>\n';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const create = () => site.request('POST', '/content', { title: 'T', body_html: '<p>before</p>' });

/** Each way in which a body comes in; returns the status and the record, or what is wrong. */
const ways: Record<string, (body: object) => Promise<Pick<ApiReply, 'status' | 'data' | 'error'>>> = {
  POST: (body) => site.request('POST', '/content', { title: 'T', ...body }),
  PATCH: async (body) => site.request('PATCH', `/content/${(await create()).data.id}`, body),
  'PUT by reference': (body) => site.request('PUT', `/content/by-ref/${randomUUID()}`, { title: 'T', ...body }),
  'PUT by reference, again': async (body) => {
    const path = `/content/by-ref/${randomUUID()}`;
    await site.request('PUT', path, { title: 'T' });
    return site.request('PUT', path, { title: 'T', ...body });
  },
  'a pending draft': async (body) => {
    const path = `/content/${(await create()).data.id}/draft`;
    const drafted = await site.request('PUT', path, body);
    return drafted.status < 400 ? site.request('POST', `${path}/apply`) : drafted;
  },
  batch: async (body) => {
    const { data } = await site.request('POST', '/content/batch', { items: [{ title: 'T', ...body }] });
    return data.results[0];
  },
};

// rule: beyond.22
test.each(Object.keys(ways))('is rendered and sanitized by %s, and the record has body_html only', async (way) => {
  const { status, data } = await ways[way]!({ body_markdown: markdown });
  expect([200, 201]).toContain(status);
  expect(data).toMatchObject({ body_html: html, warnings: [{ code: 'script_removed' }] });
  expect(data).not.toHaveProperty('body_markdown');
  expect((await site.request('GET', `/content/${data.id}`)).data.body_html).toBe(html);
});

// rule: beyond.22
test.each(Object.keys(ways))('with NUL, a lone surrogate and dirt is cleaned with a warning by %s', async (way) => {
  const { status, data } = await ways[way]!({ body_markdown: 'a\0b *c*\ud800\u0001' });
  expect([status < 400, data.body_html]).toEqual([true, '<p>ab <em>c</em></p>\n']);
  expect(data.warnings.map(({ code }: { code: string }) => code)).toContain('character_removed');
});

// rule: beyond.22
test.each(Object.keys(ways))('together with body_html is 422 by %s, and nothing is stored', async (way) => {
  const { status, error } = await ways[way]!({ body_html: '', body_markdown: markdown });
  expect([status, error?.details]).toEqual([
    422,
    [{ path: 'body_markdown', message: 'must not be sent together with body_html' }],
  ]);
});

test('a text that is too long is 422, and one that becomes too long for a row is read back whole', async () => {
  const refused = await ways['POST']!({ body_markdown: 'x'.repeat(500_001) });
  expect([refused.status, refused.error?.details?.[0]?.path]).toEqual([422, 'body_markdown']);
  const { data } = await ways['POST']!({ body_markdown: 'word\n\n'.repeat(40_000) });
  expect(data.body_html).toBe('<p>word</p>\n'.repeat(40_000));
});
