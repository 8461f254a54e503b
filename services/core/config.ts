import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDnsServer, parseHostPort, parseRange } from './addresses.ts';
import {
  ConfigError,
  type Env,
  readChoice,
  readDatabaseUrl,
  readEndpoint,
  readFlag,
  readForms,
  readHeaders,
  readInteger,
  readIntegers,
  readList,
  readOrigin,
  readPem,
  readText,
  readTls,
  readWords,
} from './environment.ts';
import { chooseStores, isSameStore, type S3Settings, type StoreSettings } from './object-stores.ts';

export { ConfigError } from './environment.ts';
export type { ObjectSettings, S3Config, StoreSettings } from './object-stores.ts';

function readSecretKeys(env: Env): Buffer[] {
  return readList(env, 'FIELDSTONE_SECRET_KEY').map((text) => {
    const key = Buffer.from(text, 'base64');
    if (key.length !== 32)
      throw new ConfigError('FIELDSTONE_SECRET_KEY must be 32 bytes in base64 (several: comma-separated).');
    return key;
  });
}

/** Reads the S3 store of the variables with this prefix; absent ones have the values of `defaults`. */
function readS3(env: Env, prefix: string, defaults: Partial<S3Settings> = {}): S3Settings {
  return {
    endpoint: readEndpoint(env, `${prefix}S3_ENDPOINT`) ?? defaults.endpoint,
    bucket: readText(env, `${prefix}S3_BUCKET`) ?? defaults.bucket ?? 'fieldstone',
    accessKey: readText(env, `${prefix}S3_ACCESS_KEY`) ?? defaults.accessKey,
    secretKey: readText(env, `${prefix}S3_SECRET_KEY`) ?? defaults.secretKey,
    region: readText(env, `${prefix}S3_REGION`) ?? defaults.region ?? 'us-east-1',
    ca: readPem(env, `${prefix}S3_CA`) ?? defaults.ca,
  };
}

/**
 * Reads the mail server and the sender's address, both or neither. The URL may hold a password, so an error does not
 * repeat it.
 */
function readSmtp(env: Env) {
  const [smtpUrl, smtpFrom] = [readText(env, 'FIELDSTONE_SMTP_URL'), readText(env, 'FIELDSTONE_SMTP_FROM')];
  if (smtpUrl !== undefined && !(URL.canParse(smtpUrl) && /^smtps?:$/.test(new URL(smtpUrl).protocol)))
    throw new ConfigError('FIELDSTONE_SMTP_URL must be a URL such as smtps://user:password@mail.example.com.');
  if ((smtpUrl === undefined) !== (smtpFrom === undefined))
    throw new ConfigError('FIELDSTONE_SMTP_URL and FIELDSTONE_SMTP_FROM must be set both, or neither.');
  return { smtpUrl, smtpFrom };
}

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/**
 * Reads the tracing settings, which are OpenTelemetry's own variables; undefined (off) without a collector. Variables
 * not read here (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, timeouts and certificates of the exporter) are read by
 * its library.
 */
function readTracing(env: Env) {
  const base = readText(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/+$/, '');
  const url = readText(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (base && `${base}/v1/traces`);
  if (!url || readFlag(env, 'OTEL_SDK_DISABLED', false) || readText(env, 'OTEL_TRACES_EXPORTER') === 'none')
    return undefined;
  if (!URL.canParse(url)) throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be a URL, not "${url}".`);
  const ratio = Number(readText(env, 'OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  return {
    url,
    headers: readHeaders(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    sampler: readChoice(env, 'OTEL_TRACES_SAMPLER', samplers),
    ratio,
    delayMs: readInteger(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000, 1),
  };
}

export type TracingConfig = NonNullable<ReturnType<typeof readTracing>>;

/** Reads every setting of every role from the environment. Engines that are not set stay undefined. */
export function loadConfig(env: Env = process.env) {
  const port = readInteger(env, 'FIELDSTONE_PORT', 8080, 0, 65535);
  const edgePort = readInteger(env, 'FIELDSTONE_EDGE_PORT', 8081, 0, 65535);
  const mebibyte = 1024 * 1024;
  const s3 = readS3(env, '');
  return {
    /** The data folder of a single-machine installation: `up` sets it for the processes that it starts. */
    dataDir: readText(env, 'FIELDSTONE_DATA_DIR'),
    remoteUrl: readText(env, 'FIELDSTONE_REMOTE_URL'),
    remoteKey: readText(env, 'FIELDSTONE_REMOTE_KEY'),
    remoteProfile: readText(env, 'FIELDSTONE_PROFILE'),
    /** With objects in files: writes are refused below this much free space, before the database fails. */
    minFreeBytes: readInteger(env, 'FIELDSTONE_MIN_FREE_MB', 512, 0, 1_000_000_000) * 1_000_000,
    databaseUrl: readDatabaseUrl(env),
    databasePoolSize: readInteger(env, 'FIELDSTONE_DATABASE_POOL', 16, 1, 1000),
    /** A statement without a response in this time has lost its database; 0 = wait indefinitely. */
    databaseQueryTimeoutMs: readInteger(env, 'FIELDSTONE_DATABASE_QUERY_TIMEOUT_MS', 30_000),
    /** Whether to use hash-sharded indexes and row-level TTL if the database is CockroachDB. */
    cockroachTuning: readFlag(env, 'FIELDSTONE_COCKROACHDB_TUNING', false),
    databaseTls: readTls(env, 'DATABASE'),
    temporalAddress: readText(env, 'TEMPORAL_ADDRESS'),
    temporalNamespace: readText(env, 'TEMPORAL_NAMESPACE') ?? 'default',
    temporalApiKey: readText(env, 'TEMPORAL_API_KEY'),
    temporalTls: { enabled: readFlag(env, 'TEMPORAL_TLS', false), ...readTls(env, 'TEMPORAL') },
    s3,
    /** The previous object store, while objects are being moved from it. */
    fallbackS3: readS3(env, 'FALLBACK_'),
    /** The store of backups: by default another bucket of the same server. */
    backupS3: readS3(env, 'BACKUP_', { ...s3, bucket: `${s3.bucket}-backups` }),
    /** The interval between backups of every site; 0 = only on request. */
    backupEveryHours: readInteger(env, 'FIELDSTONE_BACKUP_EVERY_HOURS', 0, 0, 10_000),
    /** Number of backups of a site that are kept. */
    backupKeep: readInteger(env, 'FIELDSTONE_BACKUP_KEEP', 30, 1, 10_000),
    /** The interval between backups of everything, users and keys included; 0 = only on request. */
    backupAllEveryHours: readInteger(env, 'FIELDSTONE_BACKUP_ALL_EVERY_HOURS', 0, 0, 10_000),
    /** Number of backups of everything that are kept. */
    backupAllKeep: readInteger(env, 'FIELDSTONE_BACKUP_ALL_KEEP', 30, 1, 10_000),
    /** The interval between garbage collections; 0 = never. */
    collectEveryMinutes: readInteger(env, 'FIELDSTONE_COLLECT_EVERY_MINUTES', 60, 0, 100_000),
    /** Unreferenced bytes are kept for twice this time: longer than any build, upload or request. */
    collectGraceHours: readInteger(env, 'FIELDSTONE_COLLECT_GRACE_HOURS', 24, 1, 10_000),
    /** A site keeps its newest releases for rollback, and all of the last days. */
    releaseRetention: {
      newest: readInteger(env, 'FIELDSTONE_KEEP_RELEASES', 50, 1, 100_000),
      days: readInteger(env, 'FIELDSTONE_KEEP_RELEASES_DAYS', 7, 1, 10_000),
    },
    secretKeys: readSecretKeys(env),
    /**
     * The work of a worker: `general` decides and builds, `inbox` handles inbound deliveries and sends events, `media`
     * makes image variants.
     */
    workerQueues: readWords(env, 'FIELDSTONE_WORKER_QUEUES', ['general', 'inbox', 'media']),
    host: readText(env, 'FIELDSTONE_HOST') ?? '0.0.0.0',
    port,
    edgePort,
    opsPort: readInteger(env, 'FIELDSTONE_OPS_PORT', 9090, 0, 65535),
    url: readOrigin(env, 'FIELDSTONE_URL', `http://localhost:${port}`),
    edgeUrl: readOrigin(env, 'FIELDSTONE_EDGE_URL', `http://localhost:${edgePort}`),
    /** Whether a host of a site is served only once a TXT record has proven that the site's owners control it. */
    domainProof: readChoice(env, 'FIELDSTONE_DOMAIN_PROOF', ['off', 'txt']),
    /** The DNS servers that are queried for these records; empty: those of the machine. */
    dnsServers: readForms(
      env,
      'FIELDSTONE_DNS_SERVERS',
      'IP addresses such as 10.0.0.53 or 127.0.0.1:5353',
      parseDnsServer,
    ),
    rateLimitIp: readInteger(env, 'FIELDSTONE_RATE_LIMIT_IP', 60),
    rateLimitKey: readInteger(env, 'FIELDSTONE_RATE_LIMIT_KEY', 120),
    /**
     * Dashboard requests per user; then sign-in attempts (password, code or link) and requests for links, per client
     * address and per account. All per minute.
     */
    rateLimitDashboard: readInteger(env, 'FIELDSTONE_RATE_LIMIT_DASHBOARD', 600),
    rateLimitSignInIp: readInteger(env, 'FIELDSTONE_RATE_LIMIT_SIGN_IN_IP', 10),
    rateLimitSignInAccount: readInteger(env, 'FIELDSTONE_RATE_LIMIT_SIGN_IN_ACCOUNT', 5),
    /** Token requests of agents per minute: per client address, and per account. */
    rateLimitTokenIp: readInteger(env, 'FIELDSTONE_RATE_LIMIT_TOKEN_IP', 10),
    rateLimitTokenAccount: readInteger(env, 'FIELDSTONE_RATE_LIMIT_TOKEN_ACCOUNT', 5),
    /** Registrations of agents per hour and client address. */
    rateLimitRegistration: readInteger(env, 'FIELDSTONE_RATE_LIMIT_AGENT_REGISTRATION', 10),
    /** Requests of an agent per minute and grant. */
    rateLimitMcp: readInteger(env, 'FIELDSTONE_RATE_LIMIT_MCP', 120),
    ...readSmtp(env),
    trustedProxies: readForms(env, 'FIELDSTONE_TRUSTED_PROXIES', 'CIDRs such as 10.0.0.0/8', parseRange),
    fetchAllow: readForms(env, 'FIELDSTONE_FETCH_ALLOW', 'host:port pairs such as 127.0.0.1:9000', parseHostPort),
    rebuildQuietMs: readInteger(env, 'FIELDSTONE_REBUILD_QUIET_MS', 1000),
    rebuildMaxMs: readInteger(env, 'FIELDSTONE_REBUILD_MAX_MS', 10_000),
    /**
     * Time limit of a build, which then stops, keeps its finished pages and starts again. Below the 30 minutes of
     * `callPolicies.buildSite`.
     */
    buildTimeLimitMs: readInteger(env, 'FIELDSTONE_BUILD_TIME_LIMIT_SECONDS', 1500, 1, 1680) * 1000,
    /** Pages per shard of a large build. A build of at least four shards is divided over workers. */
    shardPages: readInteger(env, 'FIELDSTONE_SHARD_PAGES', 2500, 1, 1_000_000),
    /** Jobs fail when an engine has refused them for this long, always for the same reason. */
    buildRefusedMs: readInteger(env, 'FIELDSTONE_BUILD_REFUSED_SECONDS', 1800, 0) * 1000,
    /** Maximum time that a build waits for variants of media on its pages. */
    mediaWaitMs: readInteger(env, 'FIELDSTONE_PUBLISH_MEDIA_WAIT_MS', 20_000, 0, 600_000),
    retryInitialMs: readInteger(env, 'FIELDSTONE_RETRY_INITIAL_MS', 5000),
    retryAttempts: readInteger(env, 'FIELDSTONE_RETRY_ATTEMPTS', 6, 1, 1000),
    /** Delays in seconds before each further attempt to send an event. */
    eventRetrySeconds: readIntegers(
      env,
      'FIELDSTONE_EVENT_RETRY_SECONDS',
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    ),
    /** Timeout for the response of an event endpoint. */
    eventTimeoutMs: readInteger(env, 'FIELDSTONE_EVENT_TIMEOUT_MS', 15_000, 100, 120_000),
    /** An endpoint to which every delivery has failed for this long is disabled. */
    eventDisableDays: readInteger(env, 'FIELDSTONE_EVENT_DISABLE_DAYS', 5, 1, 10_000),
    /** How long bodies and headers of deliveries, and payloads of events, are kept. */
    deliveryDays: readInteger(env, 'FIELDSTONE_KEEP_DELIVERIES_DAYS', 90, 1, 10_000),
    /** How long rows of the audit log are kept; 0: indefinitely. */
    auditDays: readInteger(env, 'FIELDSTONE_AUDIT_DAYS', 400, 0, 100_000),
    /**
     * Where an edge listens for pushes of swaps (port 0: any free one), and the host under which gateways and workers
     * reach it (undefined: that of its network interface).
     */
    edgePush: {
      port: readInteger(env, 'FIELDSTONE_EDGE_PUSH_PORT', 0, 0, 65535),
      reachableHost: readText(env, 'FIELDSTONE_EDGE_PUSH_HOST'),
    },
    edgeCacheBytes: readInteger(env, 'FIELDSTONE_EDGE_CACHE_MB', 128, 8, 1_000_000) * mebibyte,
    bodyTimeoutMs: readInteger(env, 'FIELDSTONE_BODY_TIMEOUT_MS', 30_000, 100),
    /**
     * Maximum bytes of unrecorded webhooks that a gateway holds, and the same again for large bodies under /api/v1; one
     * integration or key may use a quarter, which must hold the largest body.
     */
    bodyMemoryBytes: readInteger(env, 'FIELDSTONE_BODY_MEMORY_MB', 64, 20, 1_000_000) * mebibyte,
    /** How a gateway or edge ends: it accepts connections for another `listenMs`, then finishes open requests. */
    drain: {
      listenMs: readInteger(env, 'FIELDSTONE_DRAIN_LISTEN_MS', 0, 0, 600_000),
      finishMs: readInteger(env, 'FIELDSTONE_DRAIN_FINISH_MS', 15_000, 0, 86_400_000),
    },
    mediaLimits: {
      imageBytes: readInteger(env, 'FIELDSTONE_MEDIA_IMAGE_MAX_BYTES', 25 * mebibyte),
      imagePixels: readInteger(env, 'FIELDSTONE_MEDIA_IMAGE_MAX_PIXELS', 50_000_000),
      videoBytes: readInteger(env, 'FIELDSTONE_MEDIA_VIDEO_MAX_BYTES', 512 * mebibyte),
      fileBytes: readInteger(env, 'FIELDSTONE_MEDIA_FILE_MAX_BYTES', 100 * mebibyte),
    },
    /** Limits of a site (contract: Limits). */
    siteLimits: {
      shellFiles: readInteger(env, 'FIELDSTONE_SHELL_MAX_FILES', 2000, 1),
      shellBytes: readInteger(env, 'FIELDSTONE_SHELL_MAX_BYTES', 100_000_000, 1),
      scripts: readInteger(env, 'FIELDSTONE_SCRIPTS_MAX', 50),
      scriptBytes: readInteger(env, 'FIELDSTONE_SCRIPTS_MAX_BYTES', 1_000_000),
      integrations: readInteger(env, 'FIELDSTONE_INTEGRATIONS_MAX', 50),
      eventEndpoints: readInteger(env, 'FIELDSTONE_EVENT_ENDPOINTS_MAX', 20),
    },
    factCheck: {
      provider: readChoice(env, 'FIELDSTONE_FACT_CHECK_PROVIDER', ['none', 'openai', 'claimreview']),
      url: readText(env, 'FIELDSTONE_FACT_CHECK_URL') ?? '',
      apiKey: readText(env, 'FIELDSTONE_FACT_CHECK_API_KEY') ?? '',
      model: readText(env, 'FIELDSTONE_FACT_CHECK_MODEL') ?? '',
    },
    /** The program that makes video renditions, with ffprobe in the same folder; unset: found on PATH. */
    ffmpeg: readText(env, 'FIELDSTONE_FFMPEG'),
    logLevel: readChoice(env, 'FIELDSTONE_LOG_LEVEL', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
    tracing: readTracing(env),
    /** Fault injection for tests: every transaction fails once with SQLSTATE 40001 before it may commit. */
    injectSerializationFailures: readFlag(env, 'FIELDSTONE_TEST_INJECT_40001', false),
    /**
     * For tests: slow work inside a transaction (requests to the object store, fetches, sanitizing, compiling) is an
     * error.
     */
    guardTransactions: readFlag(env, 'FIELDSTONE_TEST_GUARD_TRANSACTIONS', false),
    /** For tests: a file to which the process appends the text of every SQL statement, one JSON string per line. */
    sqlLogFile: readText(env, 'FIELDSTONE_TEST_SQL_LOG'),
  };
}

export type Config = ReturnType<typeof loadConfig>;

/** The configured runtime of the actors (design: Engines). */
export type ActorSettings =
  | { engine: 'temporal'; address: string }
  /** Inside this machine's worker; `socket` is the Unix socket on which it receives wakes. */
  | { engine: 'embedded'; socket: string };

/**
 * Throws a ConfigError if backups would be in the same store as the data: one loss, or one rule of the bucket, would
 * destroy both.
 */
function requireOwnStore(backups: StoreSettings | undefined, others: readonly (StoreSettings | undefined)[]): void {
  if (!backups || !others.some((other) => other && isSameStore(other, backups))) return;
  throw new ConfigError(
    backups.engine === 's3'
      ? `S3_BUCKET and BACKUP_S3_BUCKET are both ${backups.bucket} at ${backups.endpoint}: use another bucket for backups.`
      : `Data and backups are both in the folder ${backups.folder}: use another folder for backups.`,
  );
}

/**
 * Returns the configuration with its engines and secret key present. Without TEMPORAL_ADDRESS the actors are embedded,
 * and without S3_ENDPOINT objects are files, both only in a process that `fieldstone up` gave a data folder. The edge
 * uses no actors and needs no TEMPORAL_ADDRESS. Throws a ConfigError that names the missing settings.
 */
export function requireEngines(config: Config, needs = { temporal: true }) {
  const { databaseUrl, temporalAddress, s3, backupS3, fallbackS3, secretKeys, dataDir } = config;
  const keysOf = (name: string, { endpoint, accessKey, secretKey }: Config['s3']) =>
    endpoint ? [accessKey ? '' : `${name}_ACCESS_KEY`, secretKey ? '' : `${name}_SECRET_KEY`] : [];
  const missing = [
    databaseUrl ? '' : 'DATABASE_URL',
    temporalAddress || dataDir || !needs.temporal ? '' : 'TEMPORAL_ADDRESS',
    s3.endpoint || dataDir ? '' : 'S3_ENDPOINT',
    ...keysOf('S3', s3),
    ...(s3.endpoint ? [] : keysOf('BACKUP_S3', backupS3)),
    ...keysOf('FALLBACK_S3', fallbackS3),
    secretKeys.length > 0 ? '' : 'FIELDSTONE_SECRET_KEY',
  ].filter(Boolean);
  if (missing.length > 0) {
    throw new ConfigError(`Set ${missing.join(', ')}, or run \`fieldstone up\`, which starts its own engines.`);
  }
  const { objects, backups } = chooseStores(config);
  requireOwnStore(backups, [objects, objects?.fallback]);
  const actors: ActorSettings = temporalAddress
    ? { engine: 'temporal', address: temporalAddress }
    : { engine: 'embedded', socket: actorSocket(dataDir ?? '') };
  return {
    ...config,
    databaseUrl: databaseUrl!,
    // kept until every caller reads `actors`
    temporalAddress: temporalAddress!,
    actors,
    objects: objects!,
    backups: backups!,
  };
}

/**
 * Returns the path of the actors' Unix socket. Such paths are limited to 104 bytes on macOS, 108 on Linux; if the data
 * folder's path is too long, the socket is created below the folder for temporary files.
 */
function actorSocket(dataDir: string): string {
  const socket = path.join(dataDir, 'actors', 'wake.sock');
  if (Buffer.byteLength(socket) <= 90) return socket;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `fieldstone-${name}`, 'wake.sock');
}

export type EngineConfig = ReturnType<typeof requireEngines>;
