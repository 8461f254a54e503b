import { readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './figure.ts';

const begin = '<!-- figures: written by npm run bench -->';
const end = '<!-- end of figures -->';
const head = ['| bench | what | figure | aim |', '| --- | --- | --- | --- |'];

const cells = (row: string) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));

/** Replaces the rows of the benchmarks that ran in the table, which is sorted by benchmark. */
export function mergeFigures(table: string, ran: readonly string[], figures: readonly Figure[]): string {
  const kept = table
    .split('\n')
    .filter((line) => line.startsWith('| ') && !head.includes(line) && !ran.includes(cells(line)[0]!));
  const added = figures.map(({ bench, what, value, aim }) => `| ${bench} | ${what} | ${value} | ${aim} |`);
  const rows = [...kept, ...added];
  // a stable sort: the rows of one benchmark stay in the order of measurement
  rows.sort((a, b) => cells(a)[0]!.localeCompare(cells(b)[0]!));
  return [...head, ...rows].join('\n');
}

/**
 * Writes the figures of the benchmarks that ran into the document, between its two marks. Throws when a mark is
 * missing.
 */
export function writeFigures(document: string, ran: readonly string[], figures: readonly Figure[]): void {
  const text = readFileSync(document, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${document} lacks the marks between which the figures stand.`);
  const table = mergeFigures(text.slice(from + begin.length, to), ran, figures);
  writeFileSync(document, `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`);
}
