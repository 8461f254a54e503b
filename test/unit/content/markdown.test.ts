import { afterAll, describe, expect, test } from '@jest/globals';
import { createThreadPool } from '../../../services/engines/threads/thread-pool.ts';
import { cleanBody } from '../../../services/features/content/body/clean.ts';
import { createBodyCleaner } from '../../../services/features/content/body/cleaner.ts';
import { renderMarkdown } from '../../../services/features/content/body/markdown.ts';
import { createContentBody, updateContentBody, upsertContentBody } from '../../../services/features/content/schema.ts';

const threads = createThreadPool({ maxThreads: 1 });
const cleaner = createBodyCleaner(threads);
afterAll(() => threads.stop());

const clean = (markdown: string) => cleanBody({ markdown });

describe('Markdown', () => {
  test.each([
    ['# A\n\nb *c* **d** `e`', '<h1>A</h1>\n<p>b <em>c</em> <strong>d</strong> <code>e</code></p>\n'],
    ['1. a\n2. b\n\n> c', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<blockquote>\n<p>c</p>\n</blockquote>\n'],
    ['```js\nlet a = 1 < 2;\n```', '<pre><code class="language-js">let a = 1 &lt; 2;\n</code></pre>\n'],
    [
      '| a | b |\n| - | - |\n| 1 | 2 |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    ['[a][r]\n\n[r]: https://example.com/ "t"', '<p><a href="https://example.com/" title="t">a</a></p>\n'],
    [
      '![cairn](media:5f0c6b1e-0d4f-4a64-9d52-0c7f3c1c8a10)',
      '<p><img src="media:5f0c6b1e-0d4f-4a64-9d52-0c7f3c1c8a10" alt="cairn" /></p>\n',
    ],
    [
      '<x-component handle="price" vars=\'{"a":1}\'>\n</x-component>\n\nb',
      '<x-component handle="price" vars="{&quot;a&quot;:1}">\n</x-component>\n<p>b</p>\n',
    ],
    ['a ~~b~~ https://example.com -- "c"', '<p>a ~~b~~ https://example.com -- "c"</p>\n'],
    ['', ''],
  ])('%j becomes %j, which is clean', (markdown, html) => {
    expect(clean(markdown)).toMatchObject({ html, warnings: [] });
  });

  // rule: beyond.22
  test.each([
    ['<script>x()</script>\n\na', 'script_removed'],
    ['a <b onclick="x()">b</b>', 'event_handler_removed'],
    ['<a href="javascript:x()">a</a>', 'url_removed'],
    ['<p style="color:red">a</p>', 'inline_style_removed'],
  ])('%j is sanitized as HTML is, with a warning', (markdown, code) => {
    const { html, warnings } = clean(markdown);
    expect(html).not.toMatch(/script|onclick|style/);
    expect(warnings.map((warning) => warning.code)).toContain(code);
  });

  test.each([
    '[a](javascript:x)',
    '[a](JaVaScRiPt:x)',
    '[a](<java\nscript:x>)',
    '[a](data:text/html,x)',
    '<javascript:x>',
  ])('the link %j leads nowhere', (markdown) => {
    expect(clean(markdown).html).not.toMatch(/href|<a/);
  });

  test('names of object members are references like others', () => {
    expect(renderMarkdown('[constructor] [__proto__]\n\n[__proto__]: /p')).toBe(
      '<p>[constructor] <a href="/p"><strong>proto</strong></a></p>\n',
    );
  });

  test('a long reference cannot be used so often that the HTML grows without bound', () => {
    const markdown = `[a]: /${'x'.repeat(50_000)}\n\n${'[a]\n\n'.repeat(10_000)}`;
    const html = renderMarkdown(markdown);
    expect(html.length).toBeLessThan(4 * markdown.length);
    expect(html).toContain('<p>[a]</p>');
  });

  test('deep nesting ends in text', () => {
    for (const piece of ['> ', '- ', '*a **b ', '[', '![', '<b>'])
      expect(() => clean(piece.repeat(20_000))).not.toThrow();
  });

  test('long texts, and short ones that become long, are rendered in a thread as others are', async () => {
    const wide = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|\n'.repeat(100)}`;
    const given = [{ markdown: 'a *b*\n\n'.repeat(5000) }, '<p>c</p>', { markdown: '**d**' }];
    expect(await cleaner.clean('k', given)).toEqual(given.map(cleanBody));
    expect(await cleaner.clean('k', [{ markdown: wide }])).toEqual([clean(wide)]);
  });
});

describe('a request', () => {
  const bodies = { create: createContentBody, update: updateContentBody, upsert: upsertContentBody };

  test.each(Object.entries(bodies))('to %s has body_html or body_markdown, not both', (_name, schema) => {
    const base = { title: 'T' };
    expect(schema.safeParse({ ...base, body_markdown: 'a' }).success).toBe(true);
    const both = schema.safeParse({ ...base, body_html: 'a', body_markdown: 'a' });
    expect(both.error?.issues).toMatchObject([
      { path: ['body_markdown'], message: 'must not be sent together with body_html' },
    ]);
    expect(schema.safeParse({ ...base, body_markdown: null }).success).toBe(false);
    expect(schema.safeParse({ ...base, body_markdown: 'x'.repeat(500_001) }).success).toBe(false);
  });
});
