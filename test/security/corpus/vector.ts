/** One piece of hostile HTML and what must be removed from it. */
export interface Vector {
  name: string;
  html: string;
  /** Texts that must not occur in the sanitized HTML, compared without case. */
  gone: string[];
  /** Texts that must survive. */
  kept?: string[];
}

/** A placeholder for a URL on which the browser test listens: nothing may ever request it. */
export const canary = 'http://canary.invalid/hit';

type Row = [name: string, html: string, gone: string | string[], kept?: string | string[]];

/** Converts compact rows to vectors of one group. */
export function vectorsOf(group: string, rows: Row[]): Vector[] {
  return rows.map(([name, html, gone, kept]) => ({
    name: `${group}: ${name}`,
    html,
    gone: [gone].flat(),
    kept: kept === undefined ? [] : [kept].flat(),
  }));
}
