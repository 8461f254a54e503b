import type { Readable } from 'node:stream';

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** What is known of a stream before it is read. */
export interface StreamLength {
  /** It has exactly this many bytes. */
  bytes?: number | undefined;
  /** It has at least this many bytes. */
  minBytes?: number | undefined;
}

/**
 * Objects under keys of the caller's choosing: segments of letters, digits, `.`, `_` and `-`, none of which begins with a dot,
 * joined by `/`. What is stored is durable once its promise resolves, and nobody ever sees half of it. Null = not there. Every
 * method throws a Problem `unavailable` while the store cannot be used.
 */
export interface KeyedStore {
  /** Where it is, as part of a sentence: `the folder /srv/objects`. */
  readonly place: string;
  /** Makes the bucket or folder. Safe to run again. */
  ensure(): Promise<void>;
  /** Whether the bucket or folder is there. */
  ping(): Promise<boolean>;
  put(key: string, data: Buffer): Promise<void>;
  /**
   * Stores a stream in constant memory, at the pace at which it comes. Throws what `source` throws, and ShortStream when it ends
   * before the length that was announced; nothing is stored then.
   */
  putStream(key: string, source: AsyncIterable<Buffer>, length?: StreamLength): Promise<void>;
  /** All bytes of an object, or those of a range that it has: a range beyond its end has none. */
  get(key: string, range?: ByteRange): Promise<Buffer | null>;
  getStream(key: string, range?: ByteRange): Promise<Readable | null>;
  /** How many bytes an object has. */
  size(key: string): Promise<number | null>;
  /** Every object whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes objects; one that is not there is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Throws `unavailable` while there is too little space to write, for the store or for a database on the same disk. */
  requireSpace(): Promise<void>;
}

const keyPattern = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Throws an Error unless the key can be a name in every store. */
export function requireKey(key: string): void {
  if (!keyPattern.test(key) || key.length > 512)
    throw new Error(`${JSON.stringify(key)} cannot be the key of an object.`);
}
