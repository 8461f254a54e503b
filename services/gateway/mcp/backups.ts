import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackupOperationInput,
  backupOperationTimeoutMs,
  backupOperationType,
} from '../../../workflows/contracts/backup-operation.ts';
import { invalid, Problem } from '../../core/errors.ts';
import type { Caller } from '../../core/http.ts';
import type { Scope } from '../../core/scopes.ts';
import type { Context } from '../context.ts';
import { problemReply } from '../envelope.ts';
import type { CallArguments, Outcome } from './run-operation.ts';

/** An operation on backups, which the REST API does not have (spec: Overview). */
export interface BackupOperation {
  summary: string;
  scope: Scope;
  /** The arguments; those that end in `?` may be missing. */
  parameters: readonly string[];
}

export const backupOperations: Record<string, BackupOperation> = {
  'backups.list': {
    summary: 'The backups of a site, or all that you may see, newest first',
    scope: 'backup:read',
    parameters: ['site?'],
  },
  'backups.verify': { summary: 'Prove that a backup can be restored', scope: 'backup:read', parameters: ['id'] },
  'backups.create': { summary: 'Back a site up', scope: 'backup:run', parameters: ['site'] },
  'backups.restore': {
    summary: 'Restore a backup, in place or as a new site',
    scope: 'backup:restore',
    parameters: ['id', 'as?'],
  },
};

/** Clients of agents end a call after a minute. */
const maxWaitMs = 45_000;

const running: Outcome = {
  status: 202,
  data: {
    running: true,
    message: 'It takes longer and goes on. Look at the result later: list the backups or the site.',
  },
};

function readText(args: CallArguments, name: string, isRequired: boolean): string | undefined {
  const value = args[name];
  if (typeof value === 'string' && value !== '') return value;
  if (isRequired || value !== undefined) throw invalid([{ path: name, message: 'is required' }]);
  return undefined;
}

function inputOf(operation: string, caller: Caller, args: CallArguments): BackupOperationInput {
  const read = backupOperations[operation]!.parameters.map((text): [string, string | undefined] => {
    const name = text.replace('?', '');
    return [name, readText(args, name, name === text)];
  });
  const { id, userId, name = '', scopes, sites, roles } = caller;
  return {
    operation: operation.replace('backups.', '') as BackupOperationInput['operation'],
    caller: { id, userId, name, scopes, sites, administrator: roles.administrator, roles: [...roles.onSites] },
    ...Object.fromEntries(read),
  };
}

/**
 * Runs an operation on backups in a worker. After 45 seconds the outcome is 202, and the operation goes on.
 */
export async function runBackupOperation(
  { app, res }: Context,
  caller: Caller,
  operation: string,
  args: CallArguments,
): Promise<Outcome> {
  const input = inputOf(operation, caller, args);
  const options = { id: `backup-operation:${randomUUID()}`, input, timeoutMs: backupOperationTimeoutMs };
  const left = new AbortController();
  res.once('close', () => left.abort());
  const result = app.actors.run<string>(backupOperationType, options).then(
    (text): Outcome => ({ status: 200, data: JSON.parse(text) }),
    (error: unknown): Outcome => {
      if (!(error instanceof Problem)) app.log.error({ err: error, operation }, 'an operation on backups failed');
      const { status, bytes } = problemReply(error);
      return { status, error: JSON.parse(bytes!.toString()).error };
    },
  );
  const late = sleep(maxWaitMs, running, { signal: left.signal }).catch(() => running);
  const outcome = await Promise.race([result, late]);
  left.abort();
  return outcome;
}
