import fc from 'fast-check';

/** A parser of external input, its generated inputs, and the property that must hold for every one of them. */
export interface FuzzTarget<Value = unknown> {
  name: string;
  inputs: fc.Arbitrary<Value>;
  /** Throws when a property does not hold. */
  check(value: Value): void | Promise<void>;
  /** Parses a long text, for the search for superlinear work; the result does not matter. */
  pump?: { pieces: readonly string[]; parse(text: string): unknown };
}

/** Infers the type of the inputs, which callers need not know. */
export function target<Value>(one: FuzzTarget<Value>): FuzzTarget {
  return one as unknown as FuzzTarget;
}

/** Text of every kind: letters, lone surrogates, control characters, long repeats. */
export const anyText = (maxLength = 200): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: 'binary', maxLength }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength }).map((codes) => String.fromCharCode(...codes)),
    fc.tuple(fc.string({ maxLength: 5 }), fc.nat({ max: maxLength })).map(([piece, n]) => piece.repeat(n)),
  );

/** Text built from pieces that are meaningful to the parser, with noise between them. */
export function pieced(pieces: readonly string[], maxLength = 30, dirt: fc.Arbitrary<string> = anyText(6)) {
  const piece = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: dirt });
  return fc.array(piece, { maxLength }).map((parts) => parts.join(''));
}

type Edit = [kind: 'cut' | 'double' | 'set' | 'insert' | 'flip', at: number, length: number, byte: number];

const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.constantFrom('cut', 'double', 'set', 'insert', 'flip'),
  fc.nat({ max: 0xffff }),
  fc.nat({ max: 40 }),
  fc.oneof(fc.constantFrom(0, 0xff, 0x7f, 0x80, 0x0a, 0x0d, 0x22, 0x2c, 0x3b, 0x3c, 0x3d), fc.nat({ max: 255 })),
);

function applyEdit(data: Buffer, [kind, place, length, byte]: Edit): Buffer {
  const at = place % (data.length + 1);
  const end = Math.min(at + length, data.length);
  const [before, middle, after] = [data.subarray(0, at), data.subarray(at, end), data.subarray(end)];
  if (kind === 'cut') return Buffer.concat([before, after]);
  if (kind === 'double') return Buffer.concat([before, middle, middle, after]);
  if (kind === 'set') return Buffer.concat([before, Buffer.alloc(middle.length, byte), after]);
  if (kind === 'insert') return Buffer.concat([before, Buffer.alloc(length, byte), middle, after]);
  const flipped = Buffer.from(middle);
  if (flipped.length > 0) flipped[0] = flipped[0]! ^ (1 << (byte & 7));
  return Buffer.concat([before, flipped, after]);
}

/** Well-formed inputs with a few bytes changed, deleted, doubled or inserted. */
export function damaged(seeds: readonly (Buffer | string)[], maxEdits = 6): fc.Arbitrary<Buffer> {
  const originals = seeds.map((seed) => Buffer.from(seed as string));
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(edit, { maxLength: maxEdits }))
    .map(([original, edits]) => edits.reduce(applyEdit, original));
}

export const damagedText = (seeds: readonly string[], maxEdits?: number) =>
  damaged(seeds, maxEdits).map((data) => data.toString('utf8'));

/**
 * Runs a parser that may reject its input: returns null when it threw one of these errors. Any other error is a
 * finding.
 */
export function attempt<T>(parse: () => T, ...refusals: readonly (new (...args: never[]) => Error)[]): T | null {
  try {
    return parse();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return null;
    throw error;
  }
}

/** The same for an asynchronous parser. */
export async function attemptAsync<T>(
  parse: () => Promise<T>,
  ...refusals: readonly (new (
    ...args: never[]
  ) => Error)[]
): Promise<T | null> {
  try {
    return await parse();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return null;
    throw error;
  }
}
