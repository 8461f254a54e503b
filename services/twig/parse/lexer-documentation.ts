import type { Token as RawToken } from 'twig-lexer';

/** The types of the library's tokens for `-` and `~` at a tag or comment. */
export const trimming = 'TRIMMING_MODIFIER';
export const lineTrimming = 'LINE_TRIMMING_MODIFIER';

const modifiers: Record<string, string> = { '-': trimming, '~': lineTrimming };

/**
 * Adds the whitespace control of documentation comments, `{##- … -##}` (3.29), which the library treats as text.
 * Otherwise such a comment is like any other.
 */
export function markDocumentation(raw: RawToken[]): RawToken[] {
  return raw.flatMap((token, index) => {
    const [before, after] = [raw[index - 1], raw[index + 1]];
    if (token.type === 'TEXT' && before?.type === 'COMMENT_START') {
      const first = modifiers[/^#([-~])/.exec(String(token.value))?.[1] ?? ''];
      if (first) return [{ ...token, type: first } as RawToken, ...closeDocumentation(token, after)];
    }
    return token.type === 'TEXT' ? closeDocumentation(token, after) : [token];
  });
}

function closeDocumentation(token: RawToken, after: RawToken | undefined): RawToken[] {
  const last = after?.type === 'COMMENT_END' ? modifiers[/([-~])#$/.exec(String(token.value))?.[1] ?? ''] : undefined;
  return last ? [token, { ...token, type: last } as RawToken] : [token];
}
