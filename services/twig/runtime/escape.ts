import { numberToText, SafeHtml, type TwigValue, toText } from './values.ts';

const htmlSpecial = /[&<>"']/;
const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Escapes text for HTML, including single quotes. */
function escapeHtmlText(text: string): string {
  return htmlSpecial.test(text) ? text.replace(/[&<>"']/g, (character) => htmlEntities[character]!) : text;
}

/** Returns the HTML output of a value; safe markup is unchanged. This is the hot path of every page. */
export function html(value: TwigValue): string {
  if (typeof value === 'string') return htmlSpecial.test(value) ? escapeHtmlText(value) : value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberToText(value);
  if (value instanceof SafeHtml) return value.html;
  return escapeHtmlText(toText(value));
}

const hex = (code: number, width: number) => code.toString(16).toUpperCase().padStart(width, '0');
const shortJs: Record<string, string> = {
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escapeJs(text: string): string {
  return text.replace(/[^a-zA-Z0-9,._]/g, (unit) => shortJs[unit] ?? `\\u${hex(unit.charCodeAt(0), 4)}`);
}

function escapeCss(text: string): string {
  return text.replace(/[^a-zA-Z0-9]/gu, (character) => `\\${character.codePointAt(0)!.toString(16).toUpperCase()} `);
}

const attributeEntities: Record<number, string> = { 34: '&quot;', 38: '&amp;', 60: '&lt;', 62: '&gt;' };

const plainInAttribute = /[^a-zA-Z0-9,.\-_]/gu;
/** Keeps the characters that front-end frameworks use in attribute names: `:`, `@`, `[`, `]`. */
const plainInRelaxedAttribute = /[^a-zA-Z0-9,.\-_:@[\]]/gu;

function escapeAttribute(text: string, escaped = plainInAttribute): string {
  return text.replace(escaped, (character) => {
    const code = character.codePointAt(0)!;
    const isControl = (code <= 0x1f && code !== 9 && code !== 10 && code !== 13) || code === 0x7f;
    if (isControl) return '&#xFFFD;';
    return attributeEntities[code] ?? `&#x${hex(code, code < 128 ? 2 : 4)};`;
  });
}

/** Percent-encodes everything except letters, digits and `-_.~` (RFC 3986). */
export function escapeUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${hex(character.charCodeAt(0), 2)}`,
  );
}

const strategies = new Map<string, (text: string) => string>([
  ['html', escapeHtmlText],
  ['js', escapeJs],
  ['css', escapeCss],
  ['html_attr', (text) => escapeAttribute(text)],
  ['html_attr_relaxed', (text) => escapeAttribute(text, plainInRelaxedAttribute)],
  ['url', escapeUrl],
]);

/**
 * Escapes a value with a named strategy. Automatic escaping leaves safe markup unchanged; an explicit `escape` filter
 * does not. Throws for an unknown strategy.
 */
export function escapeValue(value: TwigValue, strategy: string, automatic: boolean): string {
  if (automatic && value instanceof SafeHtml) return value.html;
  const run = strategies.get(strategy);
  if (!run)
    throw new TypeError(`Invalid escaping strategy "${strategy}" (valid ones: ${[...strategies.keys()].join(', ')}).`);
  return run(toText(value));
}
