import type { ByteHold } from '../core/byte-budget.ts';
import { pickFields } from '../core/fields.ts';
import { jsonParts, largeTextsOf, textParts } from '../core/json-parts.ts';
import { type Chunk, LargeText } from '../core/large-list.ts';
import type { LargeBody, LargeListBody, LargeRecordBody } from '../core/reply.ts';

type Memory = Pick<ByteHold, 'hold'>;

/** The JSON of a record, as `JSON.stringify` makes it, with what is large in it read meanwhile. */
async function* jsonOf(record: object, memory: Memory): AsyncGenerator<string> {
  for (const part of jsonParts(record)) {
    if (part instanceof LargeText) yield* textParts(part, memory);
    else yield part;
  }
}

/**
 * The list envelope as JSON, in parts (spec: Response envelope). Every batch and every piece is read only once the parts before it
 * are out and there is memory for it; rejects when one cannot be read.
 */
export async function* jsonOfList(
  { items, rest, pagination, fields }: LargeListBody,
  memory: Memory,
): AsyncGenerator<string> {
  let before = '{"success":true,"data":[';
  // what is out is let go of: a slow client keeps memory for what it waits for, not for what it has
  async function* jsonOfAll(records: object[]) {
    for (let record = records.shift(); record; record = records.shift()) {
      yield before;
      before = ',';
      yield* jsonOf(pickFields(record, fields), memory);
    }
  }
  yield* jsonOfAll(items);
  for (const { bytes, read } of rest) {
    await memory.hold(bytes);
    yield* jsonOfAll(await read());
  }
  yield `${before === ',' ? '' : before}],"pagination":${JSON.stringify(pagination)}}`;
}

/** The record envelope in parts, in which large texts stand as such (spec: Response envelope). */
export function* recordParts({ record }: LargeRecordBody): Generator<string | LargeText> {
  yield '{"success":true,"data":';
  yield* jsonParts(record);
  yield '}';
}

type Segment = string | LargeText | Chunk<Buffer>;

/** Every piece and every part of a large text is read only once there is memory for it. */
async function* partsOfSegments(segments: Iterable<Segment>, memory: Memory): AsyncGenerator<string | Buffer> {
  for (const segment of segments) {
    if (typeof segment === 'string') yield segment;
    else if (segment instanceof LargeText) yield* textParts(segment, memory);
    else {
      await memory.hold(segment.bytes);
      yield await segment.read();
    }
  }
}

/** The body of a large reply, in parts. */
export function partsOf(body: LargeBody, memory: Memory): AsyncGenerator<string | Buffer> {
  if ('items' in body) return jsonOfList(body, memory);
  if ('record' in body) return partsOfSegments(recordParts(body), memory);
  return partsOfSegments('segments' in body ? body.segments : body.pieces, memory);
}

/** Looks for the large texts of a reply while it can still become another one. Throws MissingObject. */
export async function openLargeTexts(body: LargeBody): Promise<void> {
  const texts = 'record' in body ? largeTextsOf(body.record) : 'segments' in body ? largeTextsOf(body.segments) : [];
  for (const text of texts) await text.open();
}
