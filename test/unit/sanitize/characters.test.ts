import { expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';

function sanitize(html: string): [string, ...string[]] {
  const { html: left, warnings } = sanitizeBody(html);
  return [left, ...warnings.map(({ code, message }) => `${code}: ${message}`)];
}

test('forbidden characters go; the warning names each, counts it and says where in what is left', () => {
  expect(sanitize('a\0\0b\x01c\ud800d\u{1fffe}\u{1fffe}e')).toEqual([
    'abcde',
    'character_removed: Removed the character U+0000 (2 times, first at line 1, column 2).',
    'character_removed: Removed the character U+0001 (line 1, column 3).',
    'character_removed: Removed the character U+D800 (line 1, column 4).',
    'character_removed: Removed the character U+1FFFE (2 times, first at line 1, column 5).',
  ]);
});

test('a form feed separates words and becomes a space', () => {
  expect(sanitize('a\f\fb\0')).toEqual([
    'a  b',
    'character_removed: Removed the character U+000C (2 times, first at line 1, column 2).',
    'character_removed: Removed the character U+0000 (line 1, column 5).',
  ]);
});

test('warnings stand in the order of the text, whatever was found first', () => {
  expect(sanitize('<form>a\0</form><b>b\n\0')).toEqual([
    'a<b>b\n</b>',
    'element_removed: Removed <form> and kept any text in it (line 1, column 1).',
    'character_removed: Removed the character U+0000 (2 times, first at line 1, column 8).',
    'markup_repaired: Closed an unclosed <b> (line 2, column 1).',
  ]);
});

test('the same character in several places is one warning', () => {
  expect(sanitize('a\0b\0\0c')).toEqual([
    'abc',
    'character_removed: Removed the character U+0000 (3 times, first at line 1, column 2).',
  ]);
});

test.each(['\t', '\n', '\r', ' ', '~', '\u00ad', '\ufdcf', '\ufdf0', '\ufffd', '\ud7ff', '\ue000', '😀', '\u{10fffd}'])(
  '%j stays',
  (character) => {
    expect(sanitize(`a${character}b`)).toEqual([`a${character}b`]);
  },
);

test.each(['\0', '\x08', '\x0b', '\x0e', '\x1f', '\x7f', '\x9f', '\ufdd0', '\ufffe', '\uffff', '\udfff', '\u{10ffff}'])(
  '%j goes, written as a reference too',
  (character) => {
    expect(sanitize(`a${character}b`)[0]).toBe('ab');
    // HTML parses references to U+0080 to U+009F as characters of windows-1252
    const reference = `&#${character === '\x9f' ? 0xfdd0 : character.codePointAt(0)};`;
    const warning = 'character_removed: Removed a reference to a forbidden character (line 1, column';
    const [text, ...said] = sanitize(`a${reference}b`);
    expect([text, said.length, said[0]?.startsWith(warning)]).toEqual(['ab', 1, true]);
    const [inAttribute, ...saidThere] = sanitize(`<p title="a${reference}b"></p>`);
    expect([inAttribute, ...saidThere]).toEqual(['<p title="ab"></p>', `${warning} 4).`]);
  },
);
