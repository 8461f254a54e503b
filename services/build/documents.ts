import type { ObjectStore } from '../engines/objects/store.ts';

export type ReadBytes = Pick<ObjectStore, 'getBytes'>;

/** A manifest, a trace or the inputs of a release. Throws MissingObject. */
export async function readDocument<T>(objects: ReadBytes, hash: string): Promise<T> {
  return JSON.parse((await objects.getBytes(hash)).toString('utf8')) as T;
}
