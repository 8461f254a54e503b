import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../services/core/config.ts';
import type { DataFolder } from '../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../services/engines-local/index.ts';
import type { Progress } from '../../services/engines-local/progress.ts';
import type { ProcessEvent } from '../../services/engines-local/supervise.ts';
import { createOwnDatabase } from './external-database.ts';
import { registerNamespace } from './namespace.ts';
import { findS3Server, noS3Server, startS3Server } from './s3-server.ts';

/**
 * The engines of a test stack: `embedded` as `fieldstone up` does by default, with actors inside the only worker and
 * objects in files; `cluster` on Temporal and an S3 server, with two workers.
 */
export type StackEngines = 'embedded' | 'cluster';

/** Reads FIELDSTONE_TEST_STACK_ENGINES; `embedded` by default. Throws for another word. */
export function readStackEngines(): StackEngines {
  const word = process.env.FIELDSTONE_TEST_STACK_ENGINES || 'embedded';
  if (word === 'embedded' || word === 'cluster') return word;
  throw new Error(`FIELDSTONE_TEST_STACK_ENGINES must be embedded or cluster, not "${word}".`);
}

interface Group {
  folder: DataFolder;
  dataDir: string;
  onEvent(event: ProcessEvent): void;
  onProgress(progress: Progress): void;
  signal: AbortSignal;
}

export interface RunningEngines {
  /** The settings of these engines in a role's environment. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

/** Settings that would make an embedded stack use other engines; an empty one counts as unset. */
const withoutCluster = { TEMPORAL_ADDRESS: '', S3_ENDPOINT: '', BACKUP_S3_ENDPOINT: '' };

/**
 * Returns the environment's Temporal, in a namespace that no other stack uses, or nothing if the environment names
 * none.
 */
async function findGivenTemporal(): Promise<Record<string, string>> {
  const { temporalAddress } = loadConfig();
  if (!temporalAddress) return {};
  const namespace = `stack-${randomUUID()}`;
  await registerNamespace(temporalAddress, namespace);
  return { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace };
}

async function startObjects(env: Record<string, string>): Promise<RunningEngines> {
  if (process.env.S3_ENDPOINT) {
    const bucket = `stack-${randomUUID()}`;
    return { settings: { S3_BUCKET: bucket }, stop: async () => undefined };
  }
  const program = findS3Server();
  if (!program) throw new Error(`The cluster's stack cannot start: ${noS3Server}.`);
  return startS3Server(program, { env });
}

/**
 * Starts the engines of a stack; engines that the environment names (DATABASE_URL, TEMPORAL_ADDRESS, S3_ENDPOINT) are
 * used instead, the latter two only for `cluster`, with a new database, namespace and bucket.
 */
export async function startStackEngines(kind: StackEngines, group: Group): Promise<RunningEngines> {
  const database = process.env.DATABASE_URL ? await createOwnDatabase(process.env.DATABASE_URL) : undefined;
  const isCluster = kind === 'cluster';
  const objects = isCluster ? await startObjects(group.folder.marker) : undefined;
  const given = isCluster ? await findGivenTemporal() : withoutCluster;
  const local = await startLocalEngines({ ...group, env: { ...process.env, ...given }, temporal: isCluster });
  return {
    settings: {
      ...given,
      ...local.settings,
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...(objects ? objects.settings : { FIELDSTONE_DATA_DIR: group.folder.path }),
    },
    async stop() {
      await local.stop();
      await objects?.stop();
      await database?.drop();
    },
  };
}
