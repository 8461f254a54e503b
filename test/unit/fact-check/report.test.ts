import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../harness/long-form.ts';
import { checkArticleHtml } from './harness.ts';

const articleLength = sized(100_000, 4_000_000);
const kinds = ['number', 'date', 'superlative', 'quotation', 'attribution'];
const verdicts = ['supported', 'unsupported', 'contradicted', 'unverifiable'];

test('the report has exactly the members of the contract', async () => {
  const report = await checkArticleHtml(
    '<p>The oldest bridge is 333 metres long, “as all people know”, Anna Berg said in 1990.</p>',
  );
  expect(Object.keys(report)).toEqual(['content_id', 'checked_at', 'claims', 'links', 'summary']);
  expect([report.content_id, report.checked_at]).toEqual(['item-1', '2026-03-04T05:06:07Z']);
  expect(report.claims.map((claim) => claim.kind)).toEqual(kinds);
  for (const claim of report.claims) expect(Object.keys(claim)).toEqual(['text', 'kind', 'verdict', 'evidence']);
  expect(report.summary).toEqual({
    claims: 5,
    supported: 0,
    unsupported: 0,
    contradicted: 0,
    unverifiable: 5,
    links: 0,
    links_ok: 0,
    links_not_checked: 0,
    truncated: false,
    provider: null,
  });
});

test('an item without claims has an empty report', async () => {
  for (const html of ['', '<p></p>', '<p>Nothing to see here.</p>']) {
    const report = await checkArticleHtml(html, { input: { title: '' } });
    expect([report.claims, report.links, report.summary.claims]).toEqual([[], [], 0]);
  }
});

test('more claims than the limit are cut, and the summary says so', async () => {
  const report = await checkArticleHtml('<p>It has 1,200 doors. </p>'.repeat(20), { limits: { maxClaims: 7 } });
  expect([report.claims.length, report.summary.truncated]).toEqual([7, true]);
});

test('an unknown locale is read like any other', async () => {
  const report = await checkArticleHtml('<p>On Monday, 6 January 2026 there were 1,200 people.</p>', {
    input: { locale: 'not a locale' },
  });
  expect(report.claims.map((claim) => claim.verdict)).toEqual(['unverifiable', 'contradicted']);
});

const pieces = [
  '<p>',
  '</p>',
  '<b>',
  '</i>',
  '<blockquote>',
  '<a href="http://10.0.0.1/">',
  '</a>',
  '“',
  '”',
  '"',
  '«',
  '. ',
  ', ',
  ' and ',
  '1,200',
  '42%',
  '$5m',
  '1990',
  '–',
  '2020',
  ' 25 years later',
  ' born in ',
  ' aged ',
  'Monday, 6 January 2026',
  'the largest',
  ' said ',
  'Anna Berg',
  'According to ',
  ' in total',
  'split',
  '\u0000',
  '\ud800',
  '😀',
  '&amp',
  '<',
  '１２',
];
const article = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 })
  .map((parts) => parts.join(''));

test('any text gives a report that adds up', async () => {
  await fc.assert(
    fc.asyncProperty(article, fc.constantFrom('en', 'de', 'fr', 'ja', 'ar', ''), async (bodyHtml, locale) => {
      const { claims, summary } = await checkArticleHtml(bodyHtml, { input: { locale, title: bodyHtml.slice(0, 50) } });
      expect(
        claims.every(
          (claim) => kinds.includes(claim.kind) && verdicts.includes(claim.verdict) && claim.evidence.length > 0,
        ),
      ).toBe(true);
      expect(summary.supported + summary.unsupported + summary.contradicted + summary.unverifiable).toBe(claims.length);
    }),
    { numRuns: sized(100, 300) },
  );
});

describe('a long article of anything is read within the time of a test', () => {
  test.each([
    '1',
    '1,234,',
    '“',
    '"a bc def gh". ',
    'Monday, 5 January 2026. ',
    '1990–2000 ',
    'The ',
    'according to ',
    'the world’s ',
    'split 40%, ',
    '1, 2 and ',
    'born in ',
    '25 years later ',
    '<b>',
    '</i><b>',
    '<',
    '&amp',
    '\u00a0',
    'It ab cd. ',
    'The city has 12 big doors. The city has 14 big doors. ',
    '<a href="http://x.test/">a 5</a> ',
  ])('%j', async (piece) => {
    const report = await checkArticleHtml(`<p>${piece.repeat(articleLength / piece.length)}`);
    expect(report.claims.length).toBeLessThanOrEqual(200);
  });
});
