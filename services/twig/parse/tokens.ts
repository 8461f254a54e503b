/** The kinds of token the parser sees; whitespace, comments and whitespace control are already resolved. */
export type TokenKind =
  | 'text'
  | 'tag-start'
  | 'tag-end'
  | 'print-start'
  | 'print-end'
  | 'name'
  | 'number'
  | 'string'
  | 'interpolation-start'
  | 'interpolation-end'
  | 'punctuation'
  | 'operator'
  | 'arrow'
  | 'spread'
  | 'end';

export interface Token {
  kind: TokenKind;
  value: string;
  line: number;
  column: number;
}

const kindNames: Record<TokenKind, string> = {
  text: 'text',
  'tag-start': 'begin of statement block',
  'tag-end': 'end of statement block',
  'print-start': 'begin of print statement',
  'print-end': 'end of print statement',
  name: 'name',
  number: 'number',
  string: 'string',
  'interpolation-start': 'begin of string interpolation',
  'interpolation-end': 'end of string interpolation',
  punctuation: 'punctuation',
  operator: 'operator',
  arrow: 'arrow function',
  spread: 'spread operator',
  end: 'end of template',
};

/** Describes a token for an error message. */
export function describeToken(token: Token): string {
  const value = token.value === '' || token.kind === 'text' ? '' : ` "${token.value}"`;
  return `${kindNames[token.kind]}${value}`;
}

/** Describes a kind of token for an error message. */
export function describeKind(kind: TokenKind): string {
  return kindNames[kind];
}
