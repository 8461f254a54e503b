import { appendFileSync } from 'node:fs';

/** One measured figure: what was measured, the value with its unit, and the aim, if there is one. */
export interface Figure {
  bench: string;
  what: string;
  value: string;
  aim: string;
}

/** Prints a figure, and passes it to `npm run bench`, which writes it into docs/performance.md. */
export function figure(what: string, value: string, aim = '–'): void {
  process.stdout.write(`${what}: ${value} (aim ${aim})\n`);
  const file = process.env['FIELDSTONE_BENCH_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify({ what, value, aim })}\n`);
}
