import { randomUUID } from 'node:crypto';
import type { ObjectSettings } from '../../core/config.ts';
import { openKeyedStore } from '../../engines/objects/open.ts';
import { noteOfOwnDisk } from '../own-disk-note.ts';
import { bad, examine, type Finding, good, note } from './finding.ts';

const nameOf = (settings: ObjectSettings): string =>
  settings.engine === 's3' ? `bucket ${settings.bucket}` : `folder ${settings.folder}`;

/**
 * Writes, reads and deletes one small object, as the service does. Returns null if the bucket or folder does not exist.
 */
async function testStore(settings: ObjectSettings, check: string): Promise<Finding | null> {
  const store = openKeyedStore(settings);
  if (!(await store.ping())) return null;
  await store.requireSpace();
  const key = `doctor/${randomUUID()}`;
  const written = Buffer.from(key);
  await store.put(key, written);
  const read = await store.get(key);
  await store.remove([key]);
  if (!read?.equals(written)) return bad(check, `The ${nameOf(settings)} returns other bytes than were written.`);
  return good(check, `can be written, read and deleted in the ${nameOf(settings)}`);
}

function placeOf(settings: ObjectSettings, prefix: string) {
  if (settings.engine === 'files') {
    return { subject: `The folder ${settings.folder}`, remedy: 'Check the data folder and its disk.' };
  }
  return {
    subject: `The object store at ${settings.endpoint} with the bucket ${settings.bucket}`,
    remedy: `Check the ${prefix}_ settings.`,
    tls: { engine: 'the object store', setting: prefix },
  };
}

/** Checks the store of published content. */
export function checkObjects(settings: ObjectSettings): Promise<Finding[]> {
  return examine('objects', placeOf(settings, 'S3'), async () => {
    const found = await testStore(settings, 'objects');
    return found ?? bad('objects', `There is no ${nameOf(settings)}. Run fieldstone migrate, which makes it.`);
  });
}

/** Checks the store of backups, which the first backup creates. */
export function checkBackups(settings: ObjectSettings): Promise<Finding[]> {
  return examine('backups', placeOf(settings, 'BACKUP_S3'), async () => {
    const found =
      (await testStore(settings, 'backups')) ??
      note('backups', `There is no ${nameOf(settings)} yet; the first backup makes it.`);
    return settings.engine === 'files' ? [found, note('backups', noteOfOwnDisk(settings.folder))] : found;
  });
}
