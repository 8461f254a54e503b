/**
 * The attributes of an element that the editor does not edit (class, id, lang, ARIA and so on) as the source text of its start tag, with the
 * space before them: ` class="lead" id="top"`. Stored HTML has one form (docs/decisions/0040), so that this text can be written back as it is.
 */
export type AttributeText = string;

const attributePattern = / ([^\s=>]+)(?:="([^"]*)")?/g;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text between tags as the sanitizer does. */
export const escapeText = (text: string): string => text.replace(/[&<>]/g, (character) => escapes[character]!);

/** Escapes the value of an attribute as the sanitizer does. */
export const escapeValue = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** Returns the attributes of a start tag in its stored form: `<p class="a">` becomes ` class="a"`. */
export function readAttributeText(startTag: string): AttributeText {
  const text = /^<[^\s/>]+(.*?)\s*\/?>$/s.exec(startTag)?.[1] ?? '';
  return text === '' ? '' : [...text.matchAll(attributePattern)].map(([attribute]) => attribute).join('');
}

/**
 * Sets attributes: a text replaces the value in its place or is added at the end; null removes the attribute. The other attributes stay as
 * they are.
 */
export function setAttributes(text: AttributeText, values: Readonly<Record<string, string | null>>): AttributeText {
  const left = new Map(Object.entries(values));
  const kept = text.replace(attributePattern, (attribute, name: string) => {
    const value = left.get(name);
    if (value === undefined) return attribute;
    left.delete(name);
    return value === null ? '' : ` ${name}="${escapeValue(value)}"`;
  });
  const added = [...left].map(([name, value]) => (value === null ? '' : ` ${name}="${escapeValue(value)}"`));
  return kept + added.join('');
}
