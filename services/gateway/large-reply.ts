import type { ByteHold } from '../core/byte-budget.ts';
import { pickFields } from '../core/fields.ts';
import { jsonParts, largeTextsOf, textParts } from '../core/json-parts.ts';
import { type Chunk, LargeText } from '../core/large-list.ts';
import type { LargeBody, LargeListBody, LargeRecordBody } from '../core/reply.ts';

type Memory = Pick<ByteHold, 'hold'>;

/** Renders a record as `JSON.stringify` does, and reads its large texts meanwhile. */
async function* jsonOf(record: object, memory: Memory): AsyncGenerator<string> {
  for (const part of jsonParts(record)) {
    if (part instanceof LargeText) yield* textParts(part, memory);
    else yield part;
  }
}

/**
 * Renders the list envelope as JSON, in parts (spec: Response envelope). Reads each batch and each piece only after the
 * parts before it are sent and when memory is available; rejects when one cannot be read.
 */
export async function* jsonOfList(
  { items, rest, pagination, fields }: LargeListBody,
  memory: Memory,
): AsyncGenerator<string> {
  let before = '{"success":true,"data":[';
  // drop what is sent, so that a slow client holds memory only for what it has not received
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

/** Renders the record envelope as parts: JSON text and large texts (spec: Response envelope). */
export function* recordParts({ record }: LargeRecordBody): Generator<string | LargeText> {
  yield '{"success":true,"data":';
  yield* jsonParts(record);
  yield '}';
}

type Segment = string | LargeText | Chunk<Buffer>;

/** Reads each segment, and each part of a large text, only when memory is available for it. */
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

/** Returns the body of a large reply, in parts. */
export function partsOf(body: LargeBody, memory: Memory): AsyncGenerator<string | Buffer> {
  if ('items' in body) return jsonOfList(body, memory);
  if ('record' in body) return partsOfSegments(recordParts(body), memory);
  return partsOfSegments('segments' in body ? body.segments : body.pieces, memory);
}

/**
 * Opens the large texts of a reply before its head is sent, while it can still become an error. Throws MissingObject.
 */
export async function openLargeTexts(body: LargeBody): Promise<void> {
  const texts = 'record' in body ? largeTextsOf(body.record) : 'segments' in body ? largeTextsOf(body.segments) : [];
  for (const text of texts) await text.open();
}
