import type { FoundImages, ImageSlot, Wrapper } from './find-images.ts';

/** The replacement of an external image; null removes it. */
export type Replacement = { mediaId: string; alt: string } | null;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Attributes about the image's source or size, which no longer apply. */
const droppedAttributes = new Set(['src', 'srcset', 'sizes', 'alt', 'crossorigin', 'referrerpolicy', 'integrity']);

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function renderImage({ attributes }: ImageSlot, { mediaId, alt }: { mediaId: string; alt: string }): string {
  const kept = Object.entries(attributes).filter(
    ([name]) => !droppedAttributes.has(name) && /^[a-z][a-z0-9-]*$/.test(name),
  );
  const all: [string, string][] = [['src', `media:${mediaId}`], ['alt', alt], ...kept];
  return `<img${all.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')}>`;
}

/** Returns the removal of each element that contains only removed images. */
function findEmptied({ slots, wrappers }: FoundImages, replacements: readonly Replacement[]): Edit[] {
  const lost = new Set<Wrapper>();
  const kept = new Set<Wrapper>();
  slots.forEach(({ wrapper }, index) => {
    if (wrapper) (replacements[index] ? kept : lost).add(wrapper);
  });
  const edits: Edit[] = [];
  for (const wrapper of wrappers) {
    const { parent, start, end, hasOther, isClosed } = wrapper;
    if (parent && kept.has(wrapper)) kept.add(parent);
    if (parent && lost.has(wrapper)) lost.add(parent);
    if (lost.has(wrapper) && !kept.has(wrapper) && !hasOther && isClosed) edits.push({ start, end, text: '' });
  }
  return edits;
}

/** Returns the article with every external image replaced or removed; everything else stays byte for byte. */
export function rewriteImages(html: string, found: FoundImages, replacements: readonly Replacement[]): string {
  const edits = found.slots.map((slot, index): Edit => {
    const replacement = replacements[index];
    return { start: slot.start, end: slot.end, text: replacement ? renderImage(slot, replacement) : '' };
  });
  edits.push(...findEmptied(found, replacements));
  edits.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    if (start < at) continue; // inside an element that was removed
    parts.push(html.slice(at, start), text);
    at = end;
  }
  return parts.join('') + html.slice(at);
}
