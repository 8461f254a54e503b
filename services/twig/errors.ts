/** Where in which template something went wrong. Lines and columns count from 1; 0 means unknown. */
export interface TwigErrorPlace {
  template: string;
  line: number;
  column: number;
}

/** The kinds of failure: the text does not parse, a template is missing, rendering failed, or a limit was reached. */
export type TwigErrorKind = 'syntax' | 'loader' | 'runtime' | 'limit';

/**
 * The one error of the Twig engine. `message` is the bare sentence; `template`, `line` and `column` say where.
 * An error thrown by a host function is kept in `cause`.
 */
export class TwigError extends Error {
  readonly kind: TwigErrorKind;
  template: string;
  line: number;
  column: number;

  constructor(kind: TwigErrorKind, message: string, place?: Partial<TwigErrorPlace>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TwigError';
    this.kind = kind;
    this.template = place?.template ?? '';
    this.line = place?.line ?? 0;
    this.column = place?.column ?? 0;
  }
}

/** Positions travel through generated code as one integer, so that setting one costs nothing. */
const columnsPerLine = 100_000;

/** Packs a line and column into one integer. */
export function packPosition(line: number, column: number): number {
  return line * columnsPerLine + Math.min(column, columnsPerLine - 1);
}

/** Takes apart what `packPosition` made. */
function unpackPosition(position: number): { line: number; column: number } {
  return { line: Math.floor(position / columnsPerLine), column: position % columnsPerLine };
}

/**
 * Makes a located `TwigError` of anything thrown while a template ran. An error that already knows its
 * place keeps it: the innermost template is the one to mend.
 */
export function locateError(thrown: unknown, template: string, position: number): TwigError {
  const place = { template, ...unpackPosition(position) };
  if (thrown instanceof TwigError) {
    if (thrown.template !== '') return thrown;
    return Object.assign(thrown, place);
  }
  if (thrown instanceof RangeError) {
    // No regular expression here: it may need more stack than is left.
    const tooDeep = thrown.message.includes('call stack');
    const sentence = tooDeep
      ? 'The template nests or calls itself too deeply.'
      : 'The template makes a value that is too large.';
    return new TwigError('limit', sentence, place);
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new TwigError('runtime', reason, place, thrown);
}
