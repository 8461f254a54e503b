import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { serialize } from 'parse5';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { comparable, forbiddenParts, markup, parseInDiv } from '../../fuzz/markup.ts';
import { sized } from '../../harness/long-form.ts';

const anything = fc.oneof(markup, fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }));
const runs = { numRuns: sized(500, 3000) };

test('sanitizing twice changes and reports nothing', () => {
  fc.assert(
    fc.property(anything, (html) => {
      const once = sanitizeBody(html);
      expect(sanitizeBody(once.html)).toEqual({ html: once.html, warnings: [] });
    }),
    runs,
  );
});

// rule: threat.12
test('a browser reads exactly the tree that was written, of allowed elements only', () => {
  fc.assert(
    fc.property(anything, (html) => {
      const clean = sanitizeBody(html).html;
      const tree = parseInDiv(clean);
      expect(forbiddenParts(tree)).toEqual([]);
      expect(comparable(serialize(tree))).toBe(comparable(clean));
    }),
    runs,
  );
});

test('text that contains no markup comes back as the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const escaped = text
        .replace(/[\0-\x08\x0b-\x1f\x7f]/g, '')
        .replace(/&/g, '&amp;')
        .replace(/</g, '&lt;')
        .replace(/>/g, '&gt;');
      expect(sanitizeBody(escaped).html).toBe(escaped.replaceAll('\u00a0', '&nbsp;'));
    }),
    runs,
  );
});

// rule: content.8
test('nothing goes without a warning', () => {
  fc.assert(
    fc.property(markup, (html) => {
      // A self-closed component is parsed as closed, unlike in a browser.
      fc.pre(!html.includes('<x-component/'));
      const result = sanitizeBody(html);
      if (result.warnings.length > 0) return;
      expect(comparable(serialize(parseInDiv(result.html)))).toBe(comparable(serialize(parseInDiv(html))));
    }),
    runs,
  );
});

test('the library never finds more to remove than was reported', () => {
  fc.assert(
    fc.property(anything, (html) => {
      expect(
        sanitizeBody(html)
          .warnings.map((warning) => warning.message)
          .join(),
      ).not.toContain('Removed markup that');
    }),
    runs,
  );
});
