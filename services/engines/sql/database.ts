import { appendFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../../core/config.ts';
import type { Db, SqlValue, Transaction } from '../../core/db.ts';
import { Problem } from '../../core/errors.ts';
import { countRerun, measureRequest, watchPool } from '../metrics.ts';
import { explainTls, TlsFailure, type TlsSubject } from '../tls.ts';
import { guardTransaction } from '../transaction-guard.ts';
import { recordAvailable, recordUnavailable } from '../unavailable.ts';
import {
  databaseUnavailable,
  deletedMeanwhile,
  isProgrammingError,
  isRetryable,
  isUnavailable,
  isUnknownOutcome,
  outcomeUnknown,
  refusalOf,
  sqlState,
  unknownOutcome,
} from './errors.ts';
import { describeStatement } from './statement.ts';

export type { Db, SqlValue, Transaction };

export interface Database extends Db {
  /**
   * Runs `work` in one SERIALIZABLE transaction and commits it. Retries the closure on SQLSTATE 40001 (at COMMIT too),
   * so it must have no effect outside SQL. Throws a Problem `unavailable` when the database is down.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on the pool, statement by statement, and retries it from the start when it lost a race
   * (`serializationRetry`). For work whose only write is its last statement.
   */
  attempt<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Resolves when the database responds; rejects otherwise. For readiness probes. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const beginning = 'BEGIN ISOLATION LEVEL SERIALIZABLE';
const maxAttempts = 20;
const int8Oid = 20;
const connectTimeoutMs = 5000;
/** CockroachDB recommends renewing connections every 5 to 30 minutes (cockroachdb.md, rule 16). */
const connectionLifetimeSeconds = 900;

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} from the database is too large.`);
  return value;
}

/** One parser for our pools only, so that nothing global in `pg` changes. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === int8Oid ? parseSafeInteger : pg.types.getTypeParser(oid, format as 'text');
  },
};

function backoff(attempt: number): Promise<void> {
  const capMs = Math.min(400, 5 * 2 ** attempt);
  return sleep(Math.random() * capMs);
}

/** The description of a failed statement; an error without one failed while connecting. */
const failedStatements = new WeakMap<object, string>();
const connecting = 'SQL connect';

async function retrying<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run(attempt);
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (isUnknownOutcome(error)) {
        const request = failedStatements.get(error as object) ?? connecting;
        recordUnavailable({ engine: 'sql', request, cause: error });
        throw outcomeUnknown(error);
      }
      const tryAgain = isRetryable(error) && attempt + 1 < maxAttempts;
      if (!tryAgain && (isUnavailable(error) || isRetryable(error) || refusalOf(error))) {
        const request = failedStatements.get(error as object) ?? connecting;
        recordUnavailable({ engine: 'sql', request, cause: error, refusedAs: refusalOf(error) });
        throw databaseUnavailable(error);
      }
      if (!tryAgain) throw deletedMeanwhile(error) ?? error;
      countRerun();
      await backoff(attempt);
    }
  }
}

/** Writes the statements that follow within this turn of the event loop in one system call. */
function writeTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function tlsOptions(config: DatabaseSettings): pg.PoolConfig['ssl'] {
  const { ca, cert, key } = config.databaseTls;
  return ca || cert ? { ca, cert, key, rejectUnauthorized: true } : undefined;
}

/**
 * Returns the URL without its TLS parameters: `pg` would let them override the configured certificates, and the URLs
 * that CockroachDB issues all carry `sslmode`.
 */
function withoutTlsParameters(address: string): string {
  const url = new URL(address);
  for (const name of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']) url.searchParams.delete(name);
  return url.href;
}

/** The names in messages about TLS failures with the database. */
export const databaseSubject: TlsSubject = { engine: 'the database', setting: 'DATABASE' };

/** Explains PostgreSQL's response to a client without a required certificate, or with one for another user. */
function explainRefusal(error: unknown): TlsFailure | undefined {
  if (sqlState(error) !== '28000') return undefined;
  const words = 'The database rejects the user: check the name in DATABASE_URL, and DATABASE_CERT.';
  return new TlsFailure(words, { cause: error });
}

type DatabaseSettings = Pick<
  Config,
  | 'databasePoolSize'
  | 'databaseQueryTimeoutMs'
  | 'databaseTls'
  | 'injectSerializationFailures'
  | 'guardTransactions'
  | 'sqlLogFile'
> & { databaseUrl: string };

/**
 * Opens a pool on the database named by `config.databaseUrl`. Every statement and transaction runs SERIALIZABLE on both
 * engines, and single statements are retried too (cockroachdb.md, rules 1 to 3).
 */
export function openDatabase(config: DatabaseSettings): Database {
  const ssl = tlsOptions(config);
  const pool = new pg.Pool({
    connectionString: ssl ? withoutTlsParameters(config.databaseUrl) : config.databaseUrl,
    max: config.databasePoolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: config.databaseQueryTimeoutMs,
    keepAlive: true,
    maxLifetimeSeconds: connectionLifetimeSeconds + Math.floor(Math.random() * connectionLifetimeSeconds),
    options: '-c default_transaction_isolation=serializable',
    types,
    // statements of one connection are sent without waiting for the replies to those before
    pipeline: true,
    ...(ssl ? { ssl } : {}),
  });
  const watched = watchPool(pool);
  // A connection broke. If idle, the next query opens another; if in use, the current or next query on it fails. The
  // pool does not listen while a connection is checked out, and an unhandled `error` event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  /** Connections that must not be reused. */
  const spent = new WeakSet<pg.PoolClient>();

  async function connect(): Promise<pg.PoolClient> {
    try {
      const client = await pool.connect();
      recordAvailable('sql', connecting);
      return client;
    } catch (error) {
      const misfit = explainTls(error, databaseSubject) ?? explainRefusal(error);
      if (misfit) throw misfit;
      // `pg` reports a full pool and a slow connect only in its message; both mean "no connection available now"
      if (!(error as { code?: string }).code) Object.assign(error as object, { code: 'FS_POOL_TIMEOUT' });
      throw error;
    }
  }

  async function send<Row extends object>(
    client: pg.PoolClient,
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<Row[]> {
    if (config.sqlLogFile) appendFileSync(config.sqlLogFile, `${JSON.stringify(sql)}\n`);
    const statement = describeStatement(sql);
    try {
      const query = { name: statement.name, text: sql, values: params as unknown[] };
      return (await measureRequest(statement, () => client.query<Row>(query))).rows;
    } catch (error) {
      failedStatements.set(error as object, statement.span);
      // the database's own errors leave the connection usable; after any other its state is unknown
      const isDatabaseError = error instanceof pg.DatabaseError;
      if (!isDatabaseError || isUnavailable(error) || isUnknownOutcome(error)) spent.add(client);
      if (!isDatabaseError && !isUnavailable(error) && !isProgrammingError(error))
        Object.assign(error as object, { code: 'FS_CONNECTION_LOST' });
      throw error;
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    try {
      return await work(client);
    } finally {
      client.release(spent.has(client));
    }
  }

  /**
   * Opens a transaction. Its BEGIN travels with the first statement: an error of it that does not end the connection
   * means that this statement may have been executed on its own.
   */
  function begin(client: pg.PoolClient): Transaction {
    const queued: Promise<unknown>[] = [];
    const queue: Transaction['queue'] = (sql, params) => {
      writeTogether(client);
      const sent = send(client, sql, params).catch((error: unknown) => {
        if (sql !== beginning) throw error;
        spent.add(client);
        throw isUnavailable(error) ? error : Object.assign(error as object, { code: unknownOutcome });
      });
      sent.catch(() => undefined); // the next statement throws it
      queued.push(sent);
    };
    queue(beginning);
    return {
      queue,
      async query<Row extends object>(sql: string, params?: readonly SqlValue[]) {
        const sent = send<Row>(client, sql, params);
        sent.catch(() => undefined); // an earlier statement's error comes first, and is its cause
        for (const earlier of queued.splice(0)) await earlier;
        return sent;
      },
    };
  }

  async function runTransaction<T>(
    client: pg.PoolClient,
    work: (tx: Transaction) => Promise<T>,
    refuse: boolean,
  ): Promise<T> {
    const tx = begin(client);
    try {
      const result = await (config.guardTransactions ? guardTransaction(() => work(tx)) : work(tx));
      if (refuse) throw Object.assign(new Error('injected'), { code: '40001' });
      await tx.query('COMMIT');
      return result;
    } catch (error) {
      if (!spent.has(client)) await rollBack(client);
      throw error;
    }
  }

  /**
   * Rolls back. Never throws, so that the caller gets the error that ended the transaction. If the rollback fails, the
   * connection is closed, which rolls back too.
   */
  async function rollBack(client: pg.PoolClient): Promise<void> {
    await send(client, 'ROLLBACK').catch(() => spent.add(client));
  }

  const transaction: Database['transaction'] = (work) =>
    retrying((attempt) =>
      withClient((client) => runTransaction(client, work, config.injectSerializationFailures && attempt === 0)),
    );

  const query: Db['query'] = (sql, params) => {
    if (config.injectSerializationFailures) return transaction((tx) => tx.query(sql, params));
    return retrying(() => withClient((client) => send(client, sql, params)));
  };

  return {
    transaction,
    query,
    attempt: (work) => retrying(() => work({ query })),
    async ping() {
      await withClient((client) => send(client, 'SELECT 1 AS one'));
    },
    close() {
      watched.forget();
      return pool.end();
    },
  };
}
