import { Problem, problem } from '../../services/core/errors.ts';
import { withPrincipal } from '../../services/core/principal.ts';
import { isSiteRole, type SiteRole } from '../../services/core/roles.ts';
import { createShares } from '../../services/core/shares.ts';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { recordChange } from '../../services/features/audit/index.ts';
import { BackupDamaged, createBackupOperations } from '../../services/features/backups/index.ts';
import type { BackupOperationInput } from '../contracts/backup-operation.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import { backupShares } from '../policies/index.ts';
import type { ActivityDeps } from './deps.ts';

const tooManyOperations = () =>
  problem('unavailable', 'Too many operations on backups are in progress; try again later.', {
    retryAfterSeconds: 30,
    isBusy: true,
  });

function callerOf({ caller: { scopes, sites, administrator, roles } }: BackupOperationInput) {
  const onSites = roles.filter((entry): entry is [string, SiteRole] => isSiteRole(entry[1]));
  return { scopes, sites, roles: { administrator, onSites: new Map(onSites) } };
}

/** Creates the call of operations on backups; see the contract. A user has one at a time, and two reads at a time besides. */
export function createBackupOperationActivities({ app }: ActivityDeps): Pick<CallHandlers, 'runBackupOperation'> {
  const { config, db, cipher, objects, edges } = app;
  const shares = createShares({ ...backupShares.operations, refuse: tooManyOperations });
  const readShares = createShares({ ...backupShares.reads, refuse: tooManyOperations });
  const operations = createBackupOperations({
    config,
    db,
    cipher,
    objects,
    edges,
    bucket: openKeyedStore(config.backups),
  });

  async function run(input: BackupOperationInput): Promise<unknown> {
    const { operation, site, id = '', as = null } = input;
    const caller = callerOf(input);
    if (operation === 'list') return operations.list(caller, site);
    if (operation === 'newest') return operations.newest(caller);
    if (operation === 'verify') return { ...(await operations.verify(caller, id)), ok: true };
    if (operation === 'restore') return operations.restore(caller, id, { as });
    const backup = await operations.backUpSite(caller, site ?? '');
    const target = { kind: 'backups', id: backup.id };
    const audited = { id: backup.site_id, slug: backup.site };
    await db.transaction((tx) => recordChange(tx, { operation: 'backups.create', site: audited, target }));
    return backup;
  }

  /**
   * Throws `conflict` for a damaged backup. Other failures are logged, because the caller may no longer wait for the
   * result.
   */
  async function runOrExplain(input: BackupOperationInput): Promise<unknown> {
    try {
      return await run(input);
    } catch (error) {
      if (error instanceof BackupDamaged) throw problem('conflict', `The backup is damaged: ${error.message}`);
      const { operation, site, id } = input;
      if (!(error instanceof Problem))
        app.log.error({ err: error, operation, site, id }, 'an operation on a backup failed');
      throw error;
    }
  }

  return {
    runBackupOperation(input, { signal }) {
      const { via, id, name, userId } = input.caller;
      const agent = via === 'agent' ? { id, name } : null;
      const work = () => withPrincipal({ via, userId, agent }, () => runOrExplain(input));
      const operate = async () => JSON.stringify(await work());
      const isRead = input.operation === 'list' || input.operation === 'newest';
      return (isRead ? readShares : shares).pass(userId, signal, operate);
    },
  };
}
