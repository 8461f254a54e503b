import assert from 'node:assert/strict';
import fc from 'fast-check';
import { serialize } from 'parse5';
import { templateScripts } from '../../../services/build/csp.ts';
import { rewriteCss } from '../../../services/build/css.ts';
import { mapRootRelativeLinks } from '../../../services/build/links.ts';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { findClaims, presentClaim } from '../../../services/features/fact-check/find-claims.ts';
import { createPageText, decodeText } from '../../../services/features/fact-check/page-text.ts';
import { createStatementReader } from '../../../services/features/fact-check/text/statements.ts';
import { findImages } from '../../../services/features/mapping/images/find-images.ts';
import { rewriteImages } from '../../../services/features/mapping/images/rewrite-images.ts';
import { comparable, forbiddenParts, markup, parseInDiv, pieces } from '../markup.ts';
import { anyText, damaged, pieced, target } from '../target.ts';

const html = fc.oneof({ weight: 3, arbitrary: markup }, { weight: 1, arbitrary: anyText(200) });
const imagePieces = [
  '<img src="https://x.test/a.png" alt="a">',
  '<img src=//x.test/b srcset="c 2x, d 3x">',
  '<picture>',
  '</picture>',
  '<source srcset="https://x.test/e 1x">',
  '<figure>',
  '</figure>',
  '<figcaption>',
  '<a href="https://x.test">',
  '</a>',
  '<img',
  '>',
  '<p>',
  '</p>',
  'text',
  '<!--',
  '-->',
  '<img src="media:1">',
  '<IMG SRC=http://x.test/f/>',
];
const prose = [
  'In 2019, ',
  'the company grew by 12 % ',
  'to 3.5 million users. ',
  '“We are the largest”, said Ada Byron. ',
  'According to the WHO, ',
  'Am 3. Mai 2020 ',
  'le 1er janvier ',
  '1,234.56 ',
  '1.234,56 ',
  '²³',
  '½',
  '$5bn ',
  'half of ',
  'twice as many ',
  '- ',
  '(1) ',
  '. ',
  '? ',
  '"',
  "'",
  '«',
  '»',
  '<b>',
  '</b>',
  '<a href="https://a.test/x">here</a> ',
  '<blockquote>',
  '</blockquote>',
  '<li>',
  '\n',
  'It ',
  'first ever ',
  'unique ',
  '99999999999999999999999 ',
  '10^400 ',
];
const readers = new Map(['en', 'de', 'fr', 'zh'].map((locale) => [locale, createStatementReader(locale)]));
const readerFor = (language: string | null) => readers.get(language ?? 'en') ?? readers.get('en')!;
const cssPieces = [
  'url(',
  ')',
  '"',
  "'",
  'a.png',
  '/*',
  '*/',
  '@import ',
  ';',
  ' ',
  '../',
  'data:x',
  'http://x.test/a',
  '#f',
  '?q',
  '\\',
  '\n',
  'URL( "b.png" )',
  '}',
];

const linkPieces = [
  '<a href="/x">',
  "<img src='/y'>",
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<style>',
  '</style',
  '<',
  'a',
  '>',
  '"',
  "'",
  '=',
  ' ',
  'href',
  '/z',
  ' srcset="/a 1x, /b 2x"',
  '<title>',
  '</title >',
  '<p title=">">',
  'text',
];

export const htmlTargets = [
  target({
    name: 'links of a page',
    inputs: fc.oneof(pieced(linkPieces, 20), markup),
    check(text) {
      assert.equal(mapRootRelativeLinks(text, (address) => address).length, text.length);
      const mapped = mapRootRelativeLinks(text, (address) => `..${address}`);
      assert.equal(mapped.replaceAll('../', '/').length, text.replaceAll('../', '/').length);
      for (const code of templateScripts(text).inline) assert.ok(text.includes(code) && !/<\/script[\s/>]/i.test(code));
    },
    pump: {
      pieces: linkPieces,
      parse: (text) => [mapRootRelativeLinks(`="/${text}`, (address) => `.${address}`), templateScripts(text)],
    },
  }),
  target({
    name: 'sanitizer',
    inputs: html,
    check(text) {
      const once = sanitizeBody(text);
      assert.deepEqual(sanitizeBody(once.html), { html: once.html, warnings: [] });
      assert.ok(once.html.isWellFormed() && !once.html.includes('\0'));
      const tree = parseInDiv(once.html);
      assert.deepEqual(forbiddenParts(tree), []);
      assert.equal(comparable(serialize(tree)), comparable(once.html));
    },
    pump: {
      pieces: [
        ...pieces,
        '<div>',
        '<b>',
        '<a href=x>',
        '</div>',
        '<table>',
        '<select>',
        '<svg>',
        '<math>',
        '<p title="',
      ],
      parse: (text) => sanitizeBody(text),
    },
  }),
  target({
    name: 'external images',
    inputs: fc.oneof(pieced(imagePieces, 20), markup),
    check(text) {
      const found = findImages(text);
      for (const { start, end } of found.slots) assert.ok(start >= 0 && start < end && end <= text.length);
      const mediaId = '00000000-0000-4000-8000-000000000001';
      const replaced = rewriteImages(
        text,
        found,
        found.slots.map(() => ({ mediaId, alt: 'x"<>' })),
      );
      assert.deepEqual(findImages(replaced).slots, []);
      rewriteImages(
        text,
        found,
        found.slots.map(() => null),
      );
    },
    pump: { pieces: imagePieces, parse: (text) => findImages(text) },
  }),
  target({
    name: 'claims',
    inputs: fc.tuple(fc.oneof(pieced(prose, 25), markup, anyText(300)), fc.boolean()),
    check([text, isHtml]) {
      const page = createPageText(text, { isHtml, truncated: false, readerFor });
      for (const statement of page.statements()) {
        assert.ok(statement.start >= 0 && statement.end >= statement.start);
        const claims = findClaims(statement);
        assert.ok(claims.length <= 5 && new Set(claims.map(({ kind }) => kind)).size === claims.length);
        for (const claim of claims) {
          const shown = presentClaim(claim, 'unverifiable', []);
          assert.ok(shown.text.length <= 600);
          for (const assertion of claim.assertions) {
            if (assertion.kind === 'number') assert.ok(assertion.figure.values.every((value) => !Number.isNaN(value)));
          }
        }
      }
      assert.ok(page.normalised().length <= 2 * text.length + 10 || text.length > 0);
      page.words();
    },
    pump: {
      pieces: prose,
      parse: (text) => createPageText(text, { isHtml: true, truncated: false, readerFor }).statements().map(findClaims),
    },
  }),
  target({
    name: 'page charset',
    inputs: fc.tuple(
      damaged([
        '<meta charset="utf-8">é',
        '<meta http-equiv=x content="text/html; charset=iso-8859-1">',
        '\ufeffa',
        '<meta charset=utf-16>',
      ]),
      fc.oneof(
        pieced(['text/html', ';', 'charset', '=', '"', 'utf-8', 'x-user-defined', 'utf-7', 'iso-2022-jp'], 8),
        anyText(30),
      ),
    ),
    check([bytes, contentType]) {
      assert.ok(decodeText(bytes, contentType).isWellFormed());
    },
  }),
  target({
    name: 'css references',
    inputs: fc.oneof(pieced(cssPieces, 20), anyText(80)),
    check(css) {
      assert.equal(
        rewriteCss(css, 'css/style.css', () => null),
        css,
      );
      const targets: string[] = [];
      rewriteCss(css, 'css/style.css', (found) => {
        targets.push(found);
        return 'x.css';
      });
      for (const found of targets) assert.ok(!found.startsWith('/') && !/^[a-z][a-z0-9+.-]*:\/\//i.test(found), found);
    },
    pump: { pieces: cssPieces, parse: (css) => rewriteCss(css, 'css/style.css', () => 'x.css') },
  }),
];
