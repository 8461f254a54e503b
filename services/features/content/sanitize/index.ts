import sanitizeHtml from 'sanitize-html';
import { removeDirt } from './characters.ts';
import { normaliseHtml } from './normalise.ts';
import { allowedTags, attributesByTag, booleanAttributes, globalAttributes, urlAttributes, voidTags } from './rules.ts';
import { createWarningCollector, type Warning } from './warnings.ts';

/** Clean HTML in its stored form, and the changes that sanitizing made. */
export interface SanitizedBody {
  html: string;
  warnings: Warning[];
}

const attributeNames = [...new Set([...globalAttributes, ...Object.values(attributesByTag).flat()])];

/** The rules as options of the library. It runs last: what it rejects is not stored. */
const libraryOptions: sanitizeHtml.IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [...allowedTags],
  allowedAttributes: {
    '*': [...globalAttributes],
    ...Object.fromEntries(Object.entries(attributesByTag).map(([tag, names]) => [tag, [...names]])),
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: Object.fromEntries(
    // the library looks up the candidates of a `srcset`, on any element, under `srcset`
    ['img', 'source', 'audio', 'video', 'track', 'srcset'].map((tag) => [tag, [...urlAttributes['src']!]]),
  ),
  allowedSchemesAppliedToAttributes: Object.keys(urlAttributes),
  allowProtocolRelative: true,
  selfClosing: [...voidTags],
  nonBooleanAttributes: [],
  allowedEmptyAttributes: attributeNames.filter((name) => !booleanAttributes.includes(name)),
  nonTextTags: [],
  disallowedTagsMode: 'discard',
  // We wrote this text: every special character is already one of four references. Decoding them again would only cost
  // time (3 s for 4 MiB of "<").
  parser: { decodeEntities: false },
};

/**
 * Sanitizes any text, in the same way for every path that stores a body (spec: Content item; Case rules, 5). Never
 * throws; takes time linear in the length. `warnings` lists everything that was removed or repaired; it is empty for
 * clean HTML, which is returned unchanged: `sanitizeBody` is idempotent.
 */
export function sanitizeBody(html: string): SanitizedBody {
  const neverClosed = new Map<string, number>();
  for (;;) {
    const warnings = createWarningCollector();
    const source = removeDirt(html, warnings);
    const normal = normaliseHtml(source, warnings, neverClosed);
    if (normal.unclosed) {
      // Only the end shows that this element was never closed and removed the rest by mistake. The next pass removes no
      // content after this name from that offset on, and changes nothing before it, so each name restarts at most once.
      neverClosed.set(normal.unclosed.tag, normal.unclosed.offset);
      continue;
    }
    const safe = sanitizeHtml(normal.html, libraryOptions);
    if (safe !== normal.html) warnings.add('markup_repaired', 'Removed markup that is not allowed', 0);
    return { html: writeAuthorForms(safe, normal.voidForms), warnings: warnings.list(source) };
  }
}

/** Writes void tags as the author did (`<br>` or `<br />`) and no-break spaces as references. */
function writeAuthorForms(html: string, voidForms: readonly string[]): string {
  let next = 0;
  return html.replace(/ \/>|\u00a0/g, (match) => (match === '\u00a0' ? '&nbsp;' : (voidForms[next++] ?? '>')));
}
