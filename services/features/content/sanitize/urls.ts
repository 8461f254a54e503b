import { withoutTrailing } from '../../../core/trailing.ts';
import { limits, mediaIdPattern } from './rules.ts';

/** The URL to keep (null if the URL is removed) and, if something was refused, the reason. */
export interface UrlResult {
  value: string | null;
  problem?: string;
  removedPart?: string;
}

/** HTML white space. */
const space = ' \t\n\r\f';
const trimSpace = (text: string) => withoutTrailing(text, space).replace(/^[ \t\n\r\f]+/, '');

/**
 * Checks one URL. Relative URLs and anchors pass; an absolute one needs an allowed scheme. Characters that browsers
 * ignore while they look for the scheme (tabs, line ends, controls) are refused, not ignored.
 */
export function checkUrl(value: string, schemes: readonly string[]): UrlResult {
  if (value.length > limits.maxUrlLength) return refuse('the URL is too long');
  const url = trimSpace(value);
  const problem = findUrlProblem(url, schemes);
  return problem ? refuse(problem) : { value: url };
}

/** Checks every candidate of a `srcset`; removes refused candidates and keeps the others. */
export function checkSrcset(value: string, schemes: readonly string[]): UrlResult {
  if (value.length > limits.maxUrlLength) return refuse('it is too long');
  const candidates = splitSrcset(value);
  const kept = candidates.filter(({ url, descriptor }) => descriptor !== null && !findUrlProblem(url, schemes));
  if (kept.length === 0) return refuse('it has no allowed image');
  const text = kept.map(({ url, descriptor }) => (descriptor ? `${url} ${descriptor}` : url)).join(', ');
  if (kept.length === candidates.length) return { value: text };
  return { value: text, problem: 'it is not an allowed image', removedPart: 'a candidate from' };
}

/** Splits a `srcset` as the HTML standard does: a comma ends a candidate only after white space or a descriptor. */
function splitSrcset(value: string): { url: string; descriptor: string | null }[] {
  const candidates: { url: string; descriptor: string | null }[] = [];
  const pattern = /[ \t\n\r\f,]*([^ \t\n\r\f,][^ \t\n\r\f]*)([^,]*)/y;
  for (let match = pattern.exec(value); match; match = pattern.exec(value)) {
    const [start, rest] = [match[1]!, match[2]!];
    const url = withoutTrailing(start, ',');
    if (url.length < start.length) {
      pattern.lastIndex -= rest.length;
      candidates.push({ url, descriptor: '' });
    } else candidates.push({ url, descriptor: normaliseDescriptor(trimSpace(rest)) });
  }
  return candidates;
}

/** Returns `800w` or `1.5x` in its shortest form, '' for none, null for anything else. */
function normaliseDescriptor(text: string): string | null {
  if (text === '' || /^[1-9]\d{0,5}w$/.test(text)) return text;
  const density = Number(/^(\d{1,3}(?:\.\d{1,3})?)x$/.exec(text)?.[1]);
  return density > 0 ? `${density}x` : null;
}

function refuse(problem: string): UrlResult {
  return { value: null, problem, removedPart: 'the' };
}

function findUrlProblem(url: string, schemes: readonly string[]): string | null {
  if (/[\0-\x1f\x7f]/.test(url)) return 'the URL contains control characters';
  if (url.includes('<!--')) return 'the URL contains a comment';
  const head = /^[^/?#\\]*?:/.exec(url)?.[0];
  if (!head) return null;
  const scheme = head.slice(0, -1).toLowerCase();
  if (!schemes.includes(scheme)) return 'the URL scheme is not allowed';
  if (scheme === 'media' && !mediaIdPattern.test(url.slice(head.length))) return 'no id follows "media:"';
  return null;
}
