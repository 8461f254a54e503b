import { fileURLToPath } from 'node:url';
import { invalid, problem } from '../../../core/errors.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../../../engines/threads/thread-pool.ts';
import { forbidInTransaction } from '../../../engines/transaction-guard.ts';
import type { FieldChecker, FieldFault } from '../../app.ts';
import type { SchemaWork } from './check-thread.ts';

/**
 * Patterns and recursive references in a schema can take unlimited time, so that checks run only in threads with a
 * timeout.
 */
const checking: ThreadWork = {
  name: 'fields',
  entry: fileURLToPath(new URL('./check-thread.ts', import.meta.url)),
  timeoutMs: 10_000,
};

/** Creates the checker of a process, which uses the shared threads of the process. */
export function createFieldChecker(threads: Pick<ThreadPool, 'run'>): FieldChecker {
  async function run<T>(key: string, path: string, work: SchemaWork): Promise<T> {
    forbidInTransaction('Checking fields');
    try {
      return await threads.run<T>(checking, key, work);
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      throw invalid([{ path, message: `takes too much ${error.reason} to check against the schema` }]);
    }
  }
  return {
    checkSchema: (key, schema) => run<string | null>(key, 'fields_schema', { schema }),
    check: (key, schema, values) => run<(FieldFault | null)[]>(key, 'fields', { schema, values }),
  };
}

/** Checks in the calling thread without a timeout, for programs that serve no requests. */
export const checkFieldsAtOnce: FieldChecker = {
  async checkSchema(_key, schema) {
    return (await import('./check-thread.ts')).findSchemaFault(schema);
  },
  async check(_key, schema, values) {
    return (await import('./check-thread.ts')).findValueFaults(schema, values);
  },
};

/** Returns the error for a schema that changed between the check of a request and its transaction. */
export const schemaChanged = (type: string) =>
  problem('unavailable', `The type ${type} is being changed; send the request again.`, {
    retryAfterSeconds: 1,
    isBusy: true,
  });
