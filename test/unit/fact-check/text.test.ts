import { describe, expect, test } from '@jest/globals';
import { extractText } from '../../../services/features/fact-check/text/html-text.ts';
import { findAttributions, findSuperlatives } from '../../../services/features/fact-check/text/phrases.ts';
import { containsQuote, findQuotes, normaliseQuote } from '../../../services/features/fact-check/text/quotations.ts';
import { readStatements } from './harness.ts';

describe('the visible text of a page', () => {
  test('is a list of blocks with the places of their links', () => {
    const { blocks, language } = extractText(
      '<html lang="de"><head><title>no</title></head><body><h1>One</h1><p>a <b>bold</b> &amp; <a href="/x">link</a>.<script>no</script></p><ul><li>x<li>y</ul>',
      1000,
    );
    expect(language).toBe('de');
    expect(blocks.map((block) => block.text)).toEqual(['One', 'a bold & link.', 'x', 'y']);
    expect(blocks[1]?.links).toEqual([{ url: '/x', start: 9, end: 13 }]);
  });

  test('marks quotations, whose cite is a link', () => {
    const { blocks } = extractText(
      '<blockquote cite="https://a.test/"><p>one two</p></blockquote><p>He said <q>three</q>.</p>',
      1000,
    );
    expect(blocks.map((block) => [block.text, block.quoted])).toEqual([
      ['one two', true],
      ['He said “three”.', false],
    ]);
  });

  test('ends at the limit, and at nesting without end', () => {
    expect(extractText('<p>word</p>'.repeat(100_000), 1000).truncated).toBe(true);
    expect(extractText(`<p>before</p>${'<b>'.repeat(300_000)}${'</i>'.repeat(300_000)}`, 1000)).toMatchObject({
      truncated: true,
      blocks: [{ text: 'before' }],
    });
  });
});

describe('sentences', () => {
  test.each([
    ['Dr. Smith came. He left.', ['Dr. Smith came.', 'He left.']],
    ['J. R. Smith came. He left.', ['J. R. Smith came.', 'He left.']],
    [
      'She said “I go. Now we stay. Bye.” and left. Then it rained.',
      ['She said “I go. Now we stay. Bye.” and left.', 'Then it rained.'],
    ],
    ['It cost 1.5 million. Really!', ['It cost 1.5 million.', 'Really!']],
  ])('%s', (text, sentences) => {
    expect(readStatements(text).map((statement) => statement.text)).toEqual(sentences);
  });
});

describe('quotations', () => {
  test.each([
    '“one two three”',
    '"one two three"',
    '„one two three“',
    '«one two three»',
    '« one two three »',
    '»one two three«',
    '‘one two three’',
    '‘one’s two three’',
  ])('%s is one', (text) => {
    expect(findQuotes(`He said ${text}.`).length).toBe(1);
  });

  test.each([
    'a “scare” quote',
    'a 5" disk and a 3" disk, one and two',
    'don’t and can’t and won’t and so on',
    '“never closed at all',
  ])('%s is none', (text) => {
    expect(findQuotes(text)).toEqual([]);
  });

  test.each([
    ['We will never sell', true],
    ['we  will\nNEVER “sell”', true],
    ['we will … the harbour', true],
    ['we will [...] harbour', true],
    ['the harbour … we will', false],
    ['we will sell', false],
    ['ill never sell', false],
  ])('%j is found: %s', (quote, found) => {
    expect(
      containsQuote(normaliseQuote('She told us: "We will never — ever? no: we will never sell the harbour!"'), quote),
    ).toBe(found);
  });
});

test.each([
  ['It is the largest bridge.', 'largest'],
  ['It has the world’s second tallest tower.', 'tallest'],
  ['This is the most expensive one.', 'expensive'],
  ['She was the first woman to do so.', 'first'],
  ['Es ist die größte Brücke.', 'größte'],
  ['C’est la plus grande ville.', 'grande'],
  ['Es la ciudad más grande.', 'grande'],
])('%s claims to be above others', (text, key) => {
  expect(findSuperlatives(text).map((superlative) => superlative.stem)).toContain(key);
});

test.each(['He went to the forest.', 'the interest of the guest', 'The test is honest.', 'in the west'])(
  '%s does not',
  (text) => {
    expect(findSuperlatives(text)).toEqual([]);
  },
);

test.each([
  ['According to the Ministry of Health, it works.', 'the Ministry of Health'],
  ['It works, according to Anna Berg.', 'Anna Berg'],
  ['Anna Berg said it works.', 'Anna Berg'],
  ['The University of Oslo has confirmed this.', 'The University of Oslo'],
  ['“It does work,” said Anna Berg.', 'Anna Berg'],
  ['„Das geht“, sagte Anna Berg.', 'Anna Berg'],
  ['Researchers found that it works.', 'Researchers'],
  ['The new study found that it works.', 'The new study'],
  ['Laut Anna Berg geht es.', 'Anna Berg geht es'],
  ['Selon le ministère, cela marche.', 'le ministère'],
])('%s names who said it', (text, who) => {
  expect(findAttributions(text).map((attribution) => attribution.who)).toContain(who);
});

test.each(['He said it works.', 'They found it.', 'It works.'])('%s names nobody', (text) => {
  expect(findAttributions(text)).toEqual([]);
});
