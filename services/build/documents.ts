import type { ReadBytes } from '../engines/objects/held-objects.ts';

export type { ReadBytes };

/** Reads a manifest, a trace or the inputs of a release. Throws MissingObject. */
export async function readDocument<T>(objects: ReadBytes, hash: string): Promise<T> {
  return JSON.parse((await objects.getBytes(hash)).toString('utf8')) as T;
}
