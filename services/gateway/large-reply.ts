import type { ByteHold } from '../core/byte-budget.ts';
import { pickFields } from '../core/fields.ts';
import type { Pagination } from '../core/http.ts';
import type { Chunk, LargeBytes } from '../core/large-list.ts';
import { jsonParts } from './json-parts.ts';

type Memory = Pick<ByteHold, 'hold'>;

/** A list whose later records are read while it is sent. */
export interface LargeListBody {
  items: object[];
  rest: readonly Chunk<object[]>[];
  pagination: Pagination;
  fields: ReadonlySet<string> | undefined;
}

/** A record that is large, or that has members which are read while it is sent. */
export interface LargeRecordBody {
  record: object;
}

/** What is sent while it is read. */
export type LargeBody = LargeListBody | LargeRecordBody | LargeBytes;

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
  async function* jsonOf(records: object[]) {
    for (let record = records.shift(); record; record = records.shift()) {
      yield before;
      before = ',';
      yield* jsonParts(pickFields(record, fields), memory);
    }
  }
  yield* jsonOf(items);
  for (const { bytes, read } of rest) {
    await memory.hold(bytes);
    yield* jsonOf(await read());
  }
  yield `${before === ',' ? '' : before}],"pagination":${JSON.stringify(pagination)}}`;
}

/** The record envelope as JSON, in parts (spec: Response envelope); the same rules. */
export async function* jsonOfRecord({ record }: LargeRecordBody, memory: Memory): AsyncGenerator<string> {
  yield '{"success":true,"data":';
  yield* jsonParts(record, memory);
  yield '}';
}

async function* bytesOf({ pieces }: LargeBytes, memory: Memory): AsyncGenerator<Buffer> {
  for (const { bytes, read } of pieces) {
    await memory.hold(bytes);
    yield await read();
  }
}

/** The body of a large reply, in parts. */
export function partsOf(body: LargeBody, memory: Memory): AsyncGenerator<string | Buffer> {
  if ('items' in body) return jsonOfList(body, memory);
  return 'record' in body ? jsonOfRecord(body, memory) : bytesOf(body, memory);
}
