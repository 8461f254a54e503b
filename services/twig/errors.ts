/** The position of an error in a template. Lines and columns count from 1; 0 means unknown. */
export interface TwigErrorPlace {
  template: string;
  line: number;
  column: number;
}

/** The kinds of failure: the text does not parse, a template is missing, rendering failed, or a limit was reached. */
export type TwigErrorKind = 'syntax' | 'loader' | 'runtime' | 'limit';

/**
 * The only error of the Twig engine. `message` has no position; `template`, `line` and `column` give it. An error
 * thrown by a host function is kept in `cause`.
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

/** Generated code stores a position as one integer, so that setting it is cheap. */
const columnsPerLine = 100_000;

/** Packs a line and column into one integer. */
export function packPosition(line: number, column: number): number {
  return line * columnsPerLine + Math.min(column, columnsPerLine - 1);
}

/** Unpacks the result of `packPosition`. */
function unpackPosition(position: number): { line: number; column: number } {
  return { line: Math.floor(position / columnsPerLine), column: position % columnsPerLine };
}

/**
 * Converts anything thrown while a template ran to a `TwigError` with a position. An error that has a position keeps
 * it: the innermost template is the one to fix.
 */
export function locateError(thrown: unknown, template: string, position: number): TwigError {
  const place = { template, ...unpackPosition(position) };
  if (thrown instanceof TwigError) {
    if (thrown.template !== '') return thrown;
    return Object.assign(thrown, place);
  }
  if (thrown instanceof RangeError) {
    // No regular expression here: it may need more stack than remains.
    const tooDeep = thrown.message.includes('call stack');
    const sentence = tooDeep
      ? 'The template nests or calls itself too deeply.'
      : 'The template creates a value that is too large.';
    return new TwigError('limit', sentence, place);
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new TwigError('runtime', reason, place, thrown);
}
