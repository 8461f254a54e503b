import { Lexer, SyntaxError as LexerError, type Token as RawToken } from 'twig-lexer';
import { TwigError } from '../errors.ts';
import { createTextDecoder, type DecodedPlaces } from './lexer-bytes.ts';
import { lineTrimming, markDocumentation, trimming } from './lexer-documentation.ts';
import { unescapeString } from './lexer-strings.ts';
import type { Token, TokenKind } from './tokens.ts';

/** Operators of Twig 3 that the lexer library does not know. */
const laterOperators = ['<=>', 'has some', 'has every', '===', '!==', 'xor', '?.'];

/** Private members of the library, for which it has no settings. */
interface LexerInside extends Pick<Lexer, 'tokenize'> {
  operators: string[];
  state: string;
  source: string;
  cursor: number;
  pushToken(type: string, value: string): void;
  lexWhitespace(): void;
  lexInterpolation(): void;
}
const OpenLexer = Lexer as unknown as new (level: 3) => LexerInside;

const spaceWithComments = /(?:[ \r\n\t\f\v]+|#[^\n]*)+/y;

/**
 * The library with features that Twig documents and the library does not have: later operators, and inline comments
 * (3.15), which count as white space.
 */
class TwigLexer extends OpenLexer {
  constructor() {
    super(3);
    this.operators = [...this.operators, ...laterOperators];
  }

  override lexWhitespace(): void {
    // within a comment a number sign is ordinary text
    if (this.state === 'COMMENT') {
      super.lexWhitespace();
      return;
    }
    spaceWithComments.lastIndex = this.cursor;
    const [space] = spaceWithComments.exec(this.source) ?? [];
    if (space !== undefined) this.pushToken('WHITESPACE', space);
  }

  override lexInterpolation(): void {
    this.lexWhitespace(); // the library looks for the end of an interpolation before it reads white space
    super.lexInterpolation();
  }
}

const kinds: Record<string, TokenKind> = {
  TEXT: 'text',
  TAG_START: 'tag-start',
  TAG_END: 'tag-end',
  VARIABLE_START: 'print-start',
  VARIABLE_END: 'print-end',
  NAME: 'name',
  NUMBER: 'number',
  STRING: 'string',
  INTERPOLATION_START: 'interpolation-start',
  INTERPOLATION_END: 'interpolation-end',
  PUNCTUATION: 'punctuation',
  OPERATOR: 'operator',
  TEST_OPERATOR: 'operator',
  ARROW: 'arrow',
  SPREAD_OPERATOR: 'spread',
  EOF: 'end',
};

const starts = new Set(['TAG_START', 'VARIABLE_START', 'COMMENT_START']);
const ends = new Set(['TAG_END', 'VARIABLE_END', 'COMMENT_END']);

/**
 * Splits a template into tokens with the `twig-lexer` library, resolves whitespace control, comments and
 * `verbatim`, and joins numbers such as `1_000` and `1e+3`. Throws a `TwigError` of kind `syntax`.
 */
export function tokenize(source: string, template: string): Token[] {
  const normalised = source.replace(/\r\n?/g, '\n');
  const places = createTextDecoder(normalised);
  try {
    return convertTokens(markDocumentation(new TwigLexer().tokenize(places.text)), places);
  } catch (error) {
    if (!(error instanceof LexerError)) throw error;
    const { line, column } = places.place(error.line, error.column);
    const message = error.message.replace(/\{(\d+):(\d+)\}/g, 'line $1');
    throw new TwigError('syntax', message, { template, line, column });
  }
}

function convertTokens(raw: RawToken[], places: DecodedPlaces): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < raw.length; index++) {
    const type = raw[index]!.type;
    if (type === 'COMMENT_START') {
      while (raw[index]!.type !== 'COMMENT_END') index++;
    } else if (type === 'TAG_START' && isLexerTag(raw, index)) {
      while (raw[index]!.type !== 'TAG_END') index++;
    } else {
      const token = convertToken(raw, index, places);
      if (token && !joinsNumber(tokens, token)) tokens.push(token);
    }
  }
  return tokens;
}

/** Returns whether a tag is handled by the lexer only: `verbatim`, `endverbatim` and `line`. */
function isLexerTag(raw: RawToken[], start: number): boolean {
  let index = start + 1;
  const isSpace = ({ type, value }: RawToken) => type === 'WHITESPACE' && !String(value).includes('#');
  while (isSpace(raw[index]!) || raw[index]!.type === trimming || raw[index]!.type === lineTrimming) index++;
  const name = raw[index]!;
  return name.type === 'NAME' && (name.value === 'verbatim' || name.value === 'endverbatim' || name.value === 'line');
}

function convertToken(raw: RawToken[], index: number, places: DecodedPlaces): Token | null {
  const token = raw[index]!;
  if (token.type === 'OPENING_QUOTE') {
    if (raw[index + 1]?.type !== 'CLOSING_QUOTE') return null;
    return { kind: 'string', value: '', ...places.place(token.line, token.column) };
  }
  const kind = kinds[token.type];
  if (!kind) return null;
  const value = tokenValue(raw, index, places);
  if (kind === 'text' && value === '') return null;
  // The end of a template is the start of its last text, as in PHP's Twig.
  const place = kind === 'end' && raw[index - 1]?.type === 'TEXT' ? raw[index - 1]! : token;
  return { kind, value, ...places.place(place.line, place.column) };
}

function tokenValue(raw: RawToken[], index: number, places: DecodedPlaces): string {
  const token = raw[index]!;
  const value = token.value === null ? '' : String(token.value);
  if (token.type === 'TEXT') return places.decode(trimText(raw, index, value));
  if (token.type === 'STRING') return places.decode(unescapeString(value));
  if (token.type === 'OPERATOR' || token.type === 'TEST_OPERATOR') return value.replace(/\s+/g, ' ');
  if (token.type === 'TAG_END' || token.type === 'VARIABLE_END') return '';
  return places.decode(value);
}

/**
 * Trims a text as PHP's Twig does: different characters before a tag than after one, and a line end after a tag or
 * comment.
 */
function trimText(raw: RawToken[], index: number, text: string): string {
  if (raw[index - 1] && ends.has(raw[index - 1]!.type)) {
    const modifier = raw[index - 2]?.type;
    if (modifier === trimming) text = text.replace(/^[ \t\n\r\f\v]+/, '');
    else if (modifier === lineTrimming) text = text.replace(/^[ \t\0\v]+/, '');
  }
  if (raw[index + 1] && starts.has(raw[index + 1]!.type)) {
    const modifier = raw[index + 2]?.type;
    if (modifier === trimming) return trimEnd(text, ' \t\n\r\0\v');
    if (modifier === lineTrimming) return trimEnd(text, ' \t\0\v');
  }
  return text;
}

function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const numberPattern = /^\d[\d_]*(\.[\d_]+)?([eE]([+-]?\d+)?)?$/;

/**
 * Returns whether a token continues the number before it: the lexer library ends a number at `_` and `e`, Twig does not
 * (`1_000`, `1e+3`).
 */
function joinsNumber(tokens: Token[], token: Token): boolean {
  const previous = tokens.at(-1);
  if (previous?.kind !== 'number' || previous.line !== token.line) return false;
  if (previous.column + previous.value.length !== token.column) return false;
  const isSign = token.kind === 'operator' && (token.value === '+' || token.value === '-');
  const isTail = (token.kind === 'name' && /^[_eE][\d_]*$/.test(token.value)) || token.kind === 'number' || isSign;
  if (!isTail || !numberPattern.test((previous.value + token.value).replace(/[+-]$/, ''))) return false;
  if (isSign && !/[eE]$/.test(previous.value)) return false;
  previous.value += token.value;
  return true;
}
