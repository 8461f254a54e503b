import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackupOperationInput,
  backupOperationTimeoutMs,
  backupOperationType,
} from '../../../workflows/contracts/backup-operation.ts';
import type { Caller } from '../../core/http.ts';
import type { App } from '../app.ts';

/** What an operation on backups is about. */
export type BackupArguments = Pick<BackupOperationInput, 'operation' | 'site' | 'id' | 'as'>;

/** The caller of an operation on backups. */
export type BackupOperator = Pick<Caller, 'via' | 'id' | 'userId' | 'name' | 'scopes' | 'sites' | 'roles'>;

/** How long a request waits. Clients of agents and proxies end requests after a minute. */
const maxWaitMs = 45_000;

/**
 * Runs an operation on backups in a worker, which has the store of backups, and checks scopes, sites and roles of the caller there.
 * Resolves to its result; to undefined after 45 seconds or when `signal` aborts, while the operation continues. Throws the problems of
 * the operation.
 */
export async function runInWorker(
  { actors }: Pick<App, 'actors'>,
  { via, id, userId, name = '', scopes, sites, roles }: BackupOperator,
  operation: BackupArguments,
  signal: AbortSignal,
): Promise<unknown> {
  const caller = { via, id, userId, name, scopes, sites };
  const input: BackupOperationInput = {
    ...operation,
    caller: { ...caller, administrator: roles.administrator, roles: [...roles.onSites] },
  };
  const options = { id: `backup-operation:${randomUUID()}`, input, timeoutMs: backupOperationTimeoutMs };
  const waited = new AbortController();
  const ended = AbortSignal.any([signal, waited.signal]);
  const result = actors.run<string>(backupOperationType, options).then((text): unknown => JSON.parse(text));
  // the worker logs an operation that fails after the wait
  result.catch(() => undefined);
  try {
    return await Promise.race([result, sleep(maxWaitMs, undefined, { signal: ended }).catch(() => undefined)]);
  } finally {
    waited.abort();
  }
}
