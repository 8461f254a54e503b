import { describe, expect, test } from '@jest/globals';
import { demoSite } from '../../../services/cli/demo/content/items.ts';
import { demoPages } from '../../../services/cli/demo/content/pages.ts';
import { demoPosts } from '../../../services/cli/demo/content/posts.ts';
import { demoTranslations } from '../../../services/cli/demo/content/translations.ts';
import { loadContentBody } from '../../../services/cli/demo/load.ts';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';

const items = [...demoPages, ...demoPosts, ...demoTranslations];
const pathOf = ({ type, slug }: { type: string; slug: string }) => (type === 'post' ? `/posts/${slug}/` : `/${slug}/`);

describe('the demo content', () => {
  test.each(items)('$source_ref is stored as it is written, without a warning', async (item) => {
    const { body_html: bodyHtml } = await loadContentBody(item);
    expect(sanitizeBody(bodyHtml)).toEqual({ html: bodyHtml, warnings: [] });
  });

  test('has its own reference and address for every item', () => {
    expect(new Set(items.map((item) => item.source_ref)).size).toBe(items.length);
    expect(new Set(items.map((item) => item.locale + pathOf(item))).size).toBe(items.length);
  });

  test('has timestamps in the one accepted format', () => {
    for (const item of items) expect(item.published_at).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('translates only items in the default locale', () => {
    for (const item of demoTranslations) {
      const original = items.find((other) => other.source_ref === item.translates);
      expect(original?.locale).toBe(demoSite.default_locale);
      expect(original?.type).toBe(item.type);
    }
  });

  test('links only to pages that are there', async () => {
    const paths = new Set(items.filter((item) => item.locale === demoSite.default_locale).map(pathOf));
    for (const item of items) {
      const { body_html: bodyHtml } = await loadContentBody(item);
      for (const [, href = ''] of bodyHtml.matchAll(/ href="([^"]*)"/g)) {
        expect([...paths]).toContain(new URL(href, `https://site.example${pathOf(item)}`).pathname);
      }
    }
  });
});
