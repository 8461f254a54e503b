import type { ByteHold } from '../core/byte-budget.ts';
import { pickFields } from '../core/fields.ts';
import { LargeText } from '../core/large-list.ts';
import type { LargeListBody } from '../core/reply.ts';

/** The JSON of a text without its quotes: piece by piece it is the same as of the whole. */
const escapeText = (text: string) => JSON.stringify(text).slice(1, -1);

/** The JSON of UTF-8 bytes that come in pieces, each read once there is memory for it. */
async function* jsonOfText({ pieces }: LargeText, memory: Pick<ByteHold, 'hold'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // keeps a character that two pieces share
  for (const piece of pieces) {
    await memory.hold(piece.bytes);
    yield escapeText(decoder.decode(await piece.read(), { stream: true }));
  }
  yield escapeText(decoder.decode());
}

/** The JSON of a record, as `JSON.stringify` makes it, with its large texts in pieces. */
async function* jsonOfRecord(record: object, memory: Pick<ByteHold, 'hold'>): AsyncGenerator<string> {
  const members = Object.entries(record);
  if (!members.some(([, value]) => value instanceof LargeText)) return yield JSON.stringify(record);
  let text = '{';
  for (const [name, value] of members) {
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
    if (value instanceof LargeText) {
      yield `${text}"`;
      yield* jsonOfText(value, memory);
      text = '"';
    } else text += JSON.stringify(value);
  }
  yield `${text}}`;
}

/**
 * The list envelope as JSON, in parts (spec: Response envelope). Every batch and every piece is read only once the parts before it
 * are out and there is memory for it; rejects when one cannot be read.
 */
export async function* jsonOfList(
  { items, rest, pagination, fields }: LargeListBody,
  memory: Pick<ByteHold, 'hold'>,
): AsyncGenerator<string> {
  let before = '{"success":true,"data":[';
  // what is out is let go of: a slow client keeps memory for what it waits for, not for what it has
  async function* jsonOf(records: object[]) {
    for (let record = records.shift(); record; record = records.shift()) {
      yield before;
      before = ',';
      yield* jsonOfRecord(pickFields(record, fields), memory);
    }
  }
  yield* jsonOf(items);
  for (const { bytes, read } of rest) {
    await memory.hold(bytes);
    yield* jsonOf(await read());
  }
  yield `${before === ',' ? '' : before}],"pagination":${JSON.stringify(pagination)}}`;
}
