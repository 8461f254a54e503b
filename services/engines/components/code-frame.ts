const shownColumns = 100;

/** A line of source with its number and a mark under a column (from 1); a long line is cut to what is around the mark. */
export function codeFrame(source: string, line: number, column: number): string {
  const text = source.split(/\r\n|\r|\n/)[line - 1];
  if (text === undefined || line < 1) return '';
  const start = column > shownColumns * 0.7 ? column - Math.floor(shownColumns / 2) : 0;
  const shown = text.slice(start, start + shownColumns).replaceAll('\t', ' ');
  const number = String(line);
  const mark = column < 1 ? '' : `\n${' '.repeat(number.length)} | ${' '.repeat(Math.max(0, column - 1 - start))}^`;
  return `${number} | ${shown}${mark}`;
}
