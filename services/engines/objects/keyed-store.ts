import type { Readable } from 'node:stream';

/** Bytes `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** The known length of a stream before it is read. */
export interface StreamLength {
  /** The exact length. */
  bytes?: number | undefined;
  /** The minimum length. */
  minBytes?: number | undefined;
}

/**
 * Stores objects under keys that the caller chooses: segments of letters, digits, `.`, `_` and `-`, none of which
 * begins with a dot, joined by `/`. An object is durable once its promise resolves, and never visible in part. Null
 * means not found. Every method throws a Problem `unavailable` while the store cannot be used.
 */
export interface KeyedStore {
  /** The location, as part of a sentence: `the folder /srv/objects`. */
  readonly place: string;
  /** Creates the bucket or folder. Safe to run again. */
  ensure(): Promise<void>;
  /** Returns whether the bucket or folder exists. */
  ping(): Promise<boolean>;
  put(key: string, data: Buffer): Promise<void>;
  /**
   * Stores a stream in constant memory, at the rate at which it arrives. Throws what `source` throws, and ShortStream
   * when it ends before the announced length; nothing is stored then.
   */
  putStream(key: string, source: AsyncIterable<Buffer>, length?: StreamLength): Promise<void>;
  /** Returns all bytes of an object, or those of a range; a range beyond its end is empty. */
  get(key: string, range?: ByteRange): Promise<Buffer | null>;
  getStream(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Returns the size of an object in bytes. */
  size(key: string): Promise<number | null>;
  /** Yields every object whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes objects; ignores those that do not exist. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Throws `unavailable` while the disk has too little space for writes, of the store or of a database on the same
   * disk.
   */
  requireSpace(): Promise<void>;
}

const keyPattern = /^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/;

/** Throws an Error unless the key is valid in every store. */
export function requireKey(key: string): void {
  if (!keyPattern.test(key) || key.length > 512)
    throw new Error(`${JSON.stringify(key)} cannot be the key of an object.`);
}
