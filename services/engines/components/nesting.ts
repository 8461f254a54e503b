/** The effect of a character on nesting, by its code below 128. */
const open = 1;
const close = 2;
/** Ends a chain of arrows without closing a bracket. */
const end = 4;
const sign = 8;
const space = 16;

const kinds = new Uint8Array(128);
const mark = (characters: string, kind: number) => {
  for (const character of characters) kinds[character.charCodeAt(0)]! |= kind;
};
mark('([{', open);
mark(')]}', close | end);
mark(';,', end);
mark('!~', sign);
mark(' \t\r\n\f\v', space);

const equals = '='.charCodeAt(0);
const greater = '>'.charCodeAt(0);

/** Characters beyond ASCII end nothing; some are white space. */
const kindOf = (code: number): number => (code < 128 ? kinds[code]! : space);

/** Returns whether brackets nest deeper than `maxDepth`: parsers recurse for each level and become slow. */
export function nestsBrackets(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind & open) depth++;
    else if (kind & close && depth > 0) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Returns the same for JavaScript, which also nests by chained arrows (`a=>b=>c`) and unary operators (`!!~x`). */
export function nestsCode(source: string, maxDepth: number): boolean {
  let arrows = 0;
  let signs = 0;
  let before = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    const kind = kindOf(code);
    if (kind & end) arrows = 0;
    else if (code === greater && before === equals) arrows++;
    if (kind & sign) signs++;
    else if (!(kind & space)) signs = 0;
    if (arrows > maxDepth || signs > maxDepth) return true;
    before = code;
  }
  return nestsBrackets(source, maxDepth);
}
