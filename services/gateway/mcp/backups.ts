import { closeSignalOf } from '../../core/abortable.ts';
import { invalid, Problem } from '../../core/errors.ts';
import type { Caller } from '../../core/http.ts';
import type { Scope } from '../../core/scopes.ts';
import { type BackupArguments, runInWorker } from '../../features/backups/index.ts';
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

const running: Outcome = {
  status: 202,
  data: {
    running: true,
    message: 'The operation continues. List the backups, or read the site, later to see its result.',
  },
};

function readText(args: CallArguments, name: string, isRequired: boolean): string | undefined {
  const value = args[name];
  if (typeof value === 'string' && value !== '') return value;
  if (isRequired || value !== undefined) throw invalid([{ path: name, message: 'is required' }]);
  return undefined;
}

function readArguments(operation: string, args: CallArguments): BackupArguments {
  const read = backupOperations[operation]!.parameters.map((text): [string, string | undefined] => {
    const name = text.replace('?', '');
    return [name, readText(args, name, name === text)];
  });
  return { operation: operation.replace('backups.', '') as BackupArguments['operation'], ...Object.fromEntries(read) };
}

/**
 * Runs an operation on backups in a worker. After 45 seconds the outcome is 202, and the operation continues.
 */
export async function runBackupOperation(
  { app, res }: Context,
  caller: Caller,
  operation: string,
  args: CallArguments,
): Promise<Outcome> {
  const input = readArguments(operation, args);
  try {
    const data = await runInWorker(app, caller, input, closeSignalOf(res));
    return data === undefined ? running : { status: 200, data };
  } catch (error) {
    if (!(error instanceof Problem)) app.log.error({ err: error, operation }, 'an operation on backups failed');
    const { status, bytes } = problemReply(error);
    return { status, error: JSON.parse(bytes!.toString()).error };
  }
}
