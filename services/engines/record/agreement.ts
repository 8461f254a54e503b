import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, type EngineConfig } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Logger } from '../../core/log.ts';
import { sqlState } from '../sql/errors.ts';
import { type EngineRecord, readEngines } from './record.ts';

const retryMs = 1000;
/** SQLSTATE for a table that does not exist. */
const undefinedTable = '42P01';

type Settings = Pick<EngineConfig, 'actors' | 'objects' | 'dataDir'>;

/** Returns the command that changes the record to match the settings. */
function switchCommand(parts: readonly string[], dataDir: string | undefined): string {
  return ['fieldstone engines set', ...parts, ...(dataDir ? [`--data ${dataDir}`] : [])].join(' ');
}

function explainFallback(fallback: EngineRecord['fallback'], { objects, dataDir }: Settings): string | null {
  if (fallback === null || objects.fallback?.engine === fallback) return null;
  const data = dataDir ? ` --data ${dataDir}` : '';
  if (fallback === 's3') {
    return (
      'Some objects of this installation are only in the S3 store that it used before: set FALLBACK_S3_ENDPOINT, FALLBACK_S3_BUCKET, ' +
      `FALLBACK_S3_ACCESS_KEY and FALLBACK_S3_SECRET_KEY, or run \`fieldstone objects copy --from s3 --to files${data}\` first.`
    );
  }
  return (
    'Some objects of this installation are only files in the data folder that it used before: run ' +
    '`fieldstone objects copy --from files --to s3 --data DIR` where that folder is, or set FIELDSTONE_DATA_DIR to it.'
  );
}

/**
 * Returns a sentence that says why a process with these settings must not use an installation with this record; null if
 * it may.
 */
export function explainDisagreement(record: EngineRecord, settings: Settings, { actors = true } = {}): string | null {
  const configured: string[] = [];
  const used: string[] = [];
  const set: string[] = [];
  const names: string[] = [];
  const compare = (what: 'actors' | 'objects', setting: string) => {
    if (record[what] === settings[what].engine) return;
    used.push(`${what}: ${record[what]}`);
    configured.push(`${what}: ${settings[what].engine}`);
    set.push(`--${what} ${settings[what].engine}`);
    names.push(setting);
  };
  if (actors) compare('actors', 'TEMPORAL_ADDRESS');
  compare('objects', 'S3_ENDPOINT');
  if (set.length === 0) return explainFallback(record.fallback, settings);
  return (
    `This installation uses ${used.join(' and ')}, but the settings say ${configured.join(' and ')}: change ${names.join(' and ')}, or stop the ` +
    `service and switch it with \`${switchCommand(set, settings.dataDir)}\`.`
  );
}

/** Returns the record, if any: earlier releases had no table for it. */
async function readRecord(db: Db): Promise<EngineRecord | undefined> {
  try {
    return await readEngines(db);
  } catch (error) {
    if (sqlState(error) === undefinedTable) return undefined;
    throw error;
  }
}

/**
 * Throws a ConfigError with a one-sentence message unless the settings agree with the record. Returns false when
 * nothing is recorded yet.
 */
export async function checkEngines(db: Db, settings: Settings, options?: { actors?: boolean }): Promise<boolean> {
  const record = await readRecord(db);
  const complaint = record && explainDisagreement(record, settings, options);
  if (complaint) throw new ConfigError(complaint);
  return record !== undefined;
}

/** Does the same, but also returns false while the database is unavailable or not migrated. */
async function tryAgreement(db: Db, settings: Settings, options?: { actors?: boolean }): Promise<boolean> {
  try {
    return await checkEngines(db, settings, options);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return false;
  }
}

interface WatchOptions {
  log: Pick<Logger, 'fatal'>;
  actors?: boolean;
  /** How often a running role reads the record, in milliseconds. */
  watchEveryMs?: number;
  /** Ends the process. */
  end?: () => void;
}

const defaultWatchMs = 10_000;

/**
 * Checks the engines when a role starts and while it runs. Throws a ConfigError with a one-sentence message when SQL
 * records other engines than the settings name. A role that starts before its database is not ready until both agree.
 * It ends as soon as they are found to differ, also when the engines of a running installation are switched, because it
 * would continue to write to the previous engines.
 */
export async function requireRecordedEngines(
  db: Db,
  settings: Settings,
  { log, watchEveryMs = defaultWatchMs, end = () => process.exit(1), ...options }: WatchOptions,
): Promise<{ requireAgreed(): void }> {
  let agreed = await tryAgreement(db, settings, options);

  async function watch(): Promise<never> {
    for (;;) {
      await sleep(agreed ? watchEveryMs : retryMs, undefined, { ref: false });
      agreed = (await tryAgreement(db, settings, options)) || agreed;
    }
  }
  watch().catch((error: unknown) => {
    log.fatal({ err: error }, 'the settings do not fit the installation');
    end();
  });
  return {
    requireAgreed() {
      if (!agreed) throw new Error('No engines are recorded in the database yet; fieldstone migrate records them.');
    },
  };
}
