import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { S3Config } from '../../core/config.ts';
import { createMinioClient } from '../../engines/objects/client.ts';
import { bad, examine, type Finding, good, note } from './finding.ts';

/** Writes, reads and deletes one small object, as the service does all day. */
async function tryOut(config: S3Config, check: string): Promise<Finding | null> {
  const { client, agent } = createMinioClient(config);
  const { bucket } = config;
  try {
    if (!(await client.bucketExists(bucket))) return null;
    const key = `doctor/${randomUUID()}`;
    const written = Buffer.from(key);
    await client.putObject(bucket, key, written, written.length);
    const read = await buffer(await client.getObject(bucket, key));
    await client.removeObject(bucket, key);
    if (!read.equals(written)) return bad(check, `The bucket ${bucket} gives back other bytes than were written.`);
    return good(check, `can be written, read and deleted in the bucket ${bucket}`);
  } finally {
    agent.destroy();
  }
}

const placeOf = ({ endpoint, bucket }: S3Config, prefix: string) => ({
  subject: `The object store at ${endpoint} with the bucket ${bucket}`,
  mend: `Check the ${prefix}_ settings.`,
  tls: { engine: 'the object store', setting: prefix },
});

/** The bucket that everything published lies in. */
export function checkObjects(config: S3Config): Promise<Finding[]> {
  return examine('objects', placeOf(config, 'S3'), async () => {
    const found = await tryOut(config, 'objects');
    return found ?? bad('objects', `There is no bucket ${config.bucket}. Run fieldstone migrate, which makes it.`);
  });
}

/** The bucket for backups, which the first backup makes. */
export function checkBackups(config: S3Config): Promise<Finding[]> {
  return examine('backups', placeOf(config, 'BACKUP_S3'), async () => {
    const found = await tryOut(config, 'backups');
    return found ?? note('backups', `There is no bucket ${config.bucket} yet; the first backup makes it.`);
  });
}
