import { TwigError } from '../errors.ts';
import type { At } from './ast.ts';
import { describeKind, describeToken, type Token, type TokenKind } from './tokens.ts';

/** A cursor over tokens, with the checks shared by all parts of the parser. */
export interface TokenStream {
  readonly template: string;
  current(): Token;
  look(ahead: number): Token;
  next(): Token;
  test(kind: TokenKind, value?: string): boolean;
  nextIf(kind: TokenKind, value?: string): Token | null;
  /** Consumes the current token, or throws a `TwigError` of kind `syntax` that names the expected token. */
  expect(kind: TokenKind, value?: string, explanation?: string): Token;
  fail(message: string, at?: At): never;
}

/** Creates a cursor over the tokens of the template with this name. */
export function createTokenStream(tokens: Token[], template: string): TokenStream {
  let position = 0;
  const last = tokens.length - 1;
  const current = () => tokens[position]!;
  const test = (kind: TokenKind, value?: string) =>
    current().kind === kind && (value === undefined || current().value === value);
  const next = () => {
    const token = current();
    if (position < last) position++;
    return token;
  };
  const fail = (message: string, at: At = current()): never => {
    throw new TwigError('syntax', message, { template, line: at.line, column: at.column });
  };
  return {
    template,
    current,
    look: (ahead) => tokens[Math.min(position + ahead, last)]!,
    next,
    test,
    nextIf: (kind, value) => (test(kind, value) ? next() : null),
    expect(kind, value, explanation) {
      if (test(kind, value)) return next();
      const expected = value === undefined ? describeKind(kind) : `"${value}"`;
      return fail(
        `${explanation ? `${explanation} ` : ''}Unexpected ${describeToken(current())}, expected ${expected}.`,
      );
    },
    fail,
  };
}
