import { describe, expect, test } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { corpus } from '../../security/corpus/index.ts';

test('the corpus holds at least 200 vectors with names of their own', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  expect(new Set(corpus.map((vector) => vector.name)).size).toBe(corpus.length);
});

// rule: content.4, threat.12
describe('every vector is made harmless', () => {
  test.each(corpus.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const { html } = sanitizeBody(vector.html);
    const lower = html.toLowerCase();
    for (const text of vector.gone) expect(lower).not.toContain(text.toLowerCase());
    for (const text of vector.kept ?? []) expect(html).toContain(text);
    expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
  });
});

// rule: content.4, state.2
test('every vector that loses something is reported', () => {
  const silent = corpus.filter(({ html }) => {
    const result = sanitizeBody(html);
    return result.warnings.length === 0 && hasLoss(html, result.html);
  });
  expect(silent.map((vector) => vector.name)).toEqual([]);
});

/** Whether the tree that a browser builds has fewer elements, attributes and comments afterwards. */
function hasLoss(before: string, after: string): boolean {
  return countParts(parseInDiv(after)) < countParts(parseInDiv(before));
}

function countParts(node: DefaultTreeAdapterTypes.Node): number {
  const children = 'childNodes' in node ? node.childNodes : [];
  const own = 'attrs' in node ? 1 + node.attrs.length : node.nodeName === '#comment' ? 1 : 0;
  return children.reduce((sum, child) => sum + countParts(child), own);
}

/** Parses as a browser does for `innerHTML` of a `div`. */
function parseInDiv(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  const [div] = parseFragment('<div></div>').childNodes;
  return parseFragment(div as DefaultTreeAdapterTypes.Element, html, {});
}
