const shownColumns = 100;
const lineFeed = '\n'.charCodeAt(0);
const carriageReturn = '\r'.charCodeAt(0);

/**
 * Returns a line by its number, from 1; undefined if there is no such line. Does not split the text, which may consist
 * of line breaks.
 */
function findLine(source: string, line: number): string | undefined {
  let start = 0;
  let number = 1;
  for (let at = 0; at <= source.length; at++) {
    const code = at < source.length ? source.charCodeAt(at) : lineFeed;
    if (code !== lineFeed && code !== carriageReturn) continue;
    if (number === line) return source.slice(start, at);
    if (code === carriageReturn && source.charCodeAt(at + 1) === lineFeed) at++;
    start = at + 1;
    number++;
  }
  return undefined;
}

/**
 * Renders a line of source with its number and a mark under a column (from 1); a long line is cut to the part around
 * the mark.
 */
export function codeFrame(source: string, line: number, column: number): string {
  const text = line < 1 ? undefined : findLine(source, line);
  if (text === undefined) return '';
  const start = column > shownColumns * 0.7 ? column - Math.floor(shownColumns / 2) : 0;
  const shown = text.slice(start, start + shownColumns).replaceAll('\t', ' ');
  const number = String(line);
  const mark = column < 1 ? '' : `\n${' '.repeat(number.length)} | ${' '.repeat(Math.max(0, column - 1 - start))}^`;
  return `${number} | ${shown}${mark}`;
}
