import { AsyncLocalStorage } from 'node:async_hooks';

/** Ids that every log line of a piece of work carries, whoever writes it. */
export interface WorkIds {
  /** The request that asked for the work, also when another process does it (`X-Request-Id`). */
  request_id?: string | undefined;
  [name: string]: string | undefined;
}

const storage = new AsyncLocalStorage<WorkIds>();

/** Runs `work` with these ids, beside those that it is part of already. */
export function withIds<T>(ids: WorkIds, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...ids }, work);
}

/** The ids of the work under way; none outside of any. */
export function currentIds(): WorkIds | undefined {
  return storage.getStore();
}
