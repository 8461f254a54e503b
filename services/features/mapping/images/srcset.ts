import { withoutTrailing } from '../../../core/trailing.ts';

interface SrcsetCandidate {
  url: string;
  /** Width, or density times a thousand; larger is better. */
  size: number;
}

/** Parses a `srcset` as browsers do: URLs may contain commas, and a comma at a URL's end separates. Largest first. */
export function parseSrcset(text: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  const pattern = /[\s,]*(\S+)([^,]*)/gy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, word = '', rest = ''] = match;
    const url = withoutTrailing(word, ',');
    // "a.png, b.png": the text after the comma is the next candidate, not a descriptor
    if (url !== word) pattern.lastIndex -= rest.length;
    const [, number = '0', unit] = url === word ? (/^\s+([\d.]+)([wx])/.exec(rest) ?? []) : [];
    if (url) candidates.push({ url, size: Number(number) * (unit === 'x' ? 1000 : 1) || 0 });
  }
  return candidates.sort((a, b) => b.size - a.size);
}
