import { AsyncLocalStorage } from 'node:async_hooks';

/** Ids that every log line of a piece of work carries. */
export interface WorkIds {
  /** The request that caused the work, also in other processes (`X-Request-Id`). */
  request_id?: string | undefined;
  [name: string]: string | undefined;
}

const storage = new AsyncLocalStorage<WorkIds>();

/** Runs `work` with these ids, in addition to the current ones. */
export function withIds<T>(ids: WorkIds, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...ids }, work);
}

/** Returns the ids of the current work; undefined outside of any. */
export function currentIds(): WorkIds | undefined {
  return storage.getStore();
}
