const shortEscapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', v: '\v', b: '\b', f: '\f' };

/** Resolves backslashes in a string literal like PHP's `stripcslashes`, as Twig documents. */
export function unescapeString(literal: string): string {
  if (!literal.includes('\\')) return literal;
  return literal.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_whole, code: string) => {
    if (code.length > 1 && code[0] === 'x') return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    return shortEscapes[code] ?? code;
  });
}
