import sanitizeHtml from 'sanitize-html';
import { removeDirt } from './characters.ts';
import { normaliseHtml } from './normalise.ts';
import { allowedTags, attributesByTag, booleanAttributes, globalAttributes, urlAttributes, voidTags } from './rules.ts';
import { createWarningCollector, type Warning } from './warnings.ts';

/** Clean HTML in the one form in which it is stored, and what was done to get there. */
export interface SanitizedBody {
  html: string;
  warnings: Warning[];
}

const attributeNames = [...new Set([...globalAttributes, ...Object.values(attributesByTag).flat()])];

/** The rules in the library's terms. It has the last word: what it would not let through is not stored. */
const libraryOptions: sanitizeHtml.IOptions & { allowedEmptyAttributes: string[] } = {
  allowedTags: [...allowedTags],
  allowedAttributes: {
    '*': [...globalAttributes],
    ...Object.fromEntries(Object.entries(attributesByTag).map(([tag, names]) => [tag, [...names]])),
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: Object.fromEntries(
    // under `srcset` the library looks up the candidates of any element
    ['img', 'source', 'audio', 'video', 'track', 'srcset'].map((tag) => [tag, [...urlAttributes['src']!]]),
  ),
  allowedSchemesAppliedToAttributes: Object.keys(urlAttributes),
  allowProtocolRelative: true,
  selfClosing: [...voidTags],
  nonBooleanAttributes: [],
  allowedEmptyAttributes: attributeNames.filter((name) => !booleanAttributes.includes(name)),
  nonTextTags: [],
  disallowedTagsMode: 'discard',
  // The text is ours by now: every special character is already one of four references. Decoding them again would
  // only cost time (3 s for 4 MiB of "<").
  parser: { decodeEntities: false },
};

/**
 * Makes any text safe HTML, the same for every path that stores a body (spec: Content item; Case rules, 5).
 * Never throws and takes time linear in the length. `warnings` tells everything that was removed or repaired; it is
 * empty for clean HTML, which comes back byte for byte: `sanitizeBody(sanitizeBody(x).html)` changes and reports nothing.
 */
export function sanitizeBody(html: string): SanitizedBody {
  const neverClosed = new Map<string, number>();
  for (;;) {
    const warnings = createWarningCollector();
    const source = removeDirt(html, warnings);
    const normal = normaliseHtml(source, warnings, neverClosed);
    if (normal.unclosed) {
      // Only now is it known that this element swallowed the rest by mistake. From there on its name takes nothing with it, and
      // nothing changes before, so each name can do so once.
      neverClosed.set(normal.unclosed.tag, normal.unclosed.offset);
      continue;
    }
    const safe = sanitizeHtml(normal.html, libraryOptions);
    if (safe !== normal.html) warnings.add('markup_repaired', 'Removed markup that is not allowed', 0);
    return { html: writeAuthorForms(safe, normal.voidForms), warnings: warnings.list(source) };
  }
}

/** Void tags end as the author wrote them (`<br>` or `<br />`), no-break spaces are made visible. */
function writeAuthorForms(html: string, voidForms: readonly string[]): string {
  let next = 0;
  return html.replace(/ \/>|\u00a0/g, (match) => (match === '\u00a0' ? '&nbsp;' : (voidForms[next++] ?? '>')));
}
