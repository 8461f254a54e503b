import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../core/config.ts';
import { askGrpcHealth } from '../../engines-local/grpc-health.ts';
import { explain } from '../doctor/finding.ts';

/** A configured engine, and one small request to it that resolves when any bytes are received. */
interface Probe {
  setting: string;
  /** Without user and password. */
  address: string;
  ask(signal: AbortSignal): Promise<unknown>;
}

/** `up` must report an engine that does not respond within 10 seconds of its start. */
const responseMs = 7000;

/** Errors without any response; any other failure is a response, which the engine's own client explains better. */
const silence = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * The first message of PostgreSQL's protocol, to which every server responds with one byte: whether it supports TLS.
 */
const tlsQuestion = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

function probeDatabase(databaseUrl: string): Probe[] {
  const { hostname, port, host } = new URL(databaseUrl);
  if (!hostname) return []; // a Unix socket, named in the parameters
  return [
    {
      setting: 'DATABASE_URL',
      address: host,
      async ask(signal) {
        const socket = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''));
        try {
          socket.write(tlsQuestion);
          await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]);
        } finally {
          socket.destroy();
        }
      },
    },
  ];
}

/** A server responds, but not in the engine's protocol: a proxy, or another program. */
class OtherServer extends Error {}

function probeTemporal(address: string, { temporalTls, temporalApiKey }: Config): Probe[] {
  const isTls = temporalTls.enabled || temporalTls.ca || temporalTls.cert || temporalApiKey;
  const origin = `${isTls ? 'https' : 'http'}://${address}`;
  if (!URL.canParse(origin)) return []; // a name in gRPC's own syntax
  return [
    {
      setting: 'TEMPORAL_ADDRESS',
      address,
      async ask(signal) {
        if (!(await askGrpcHealth({ origin }, signal)).isGrpc)
          throw new OtherServer('what listens there is not Temporal');
      },
    },
  ];
}

function probeObjects(setting: string, endpoint: string): Probe {
  return {
    setting,
    address: endpoint,
    ask: async (signal) => (await fetch(endpoint, { signal, redirect: 'manual' })).body?.cancel(),
  };
}

function listProbes(config: Config): Probe[] {
  const { databaseUrl, temporalAddress, s3, backupS3 } = config;
  const backups = backupS3.endpoint === s3.endpoint ? undefined : backupS3.endpoint;
  return [
    ...(databaseUrl ? probeDatabase(databaseUrl) : []),
    ...(temporalAddress ? probeTemporal(temporalAddress, config) : []),
    ...(s3.endpoint ? [probeObjects('S3_ENDPOINT', s3.endpoint)] : []),
    ...(backups ? [probeObjects('BACKUP_S3_ENDPOINT', backups)] : []),
  ];
}

interface Failure {
  code?: string;
  cause?: unknown;
  /** One error per IP address of a name. */
  errors?: unknown[];
}

function isSilence(error: unknown): boolean {
  const { code, cause, errors = [] } = (error ?? {}) as Failure;
  return silence.has(code ?? '') || errors.some(isSilence) || (cause !== undefined && isSilence(cause));
}

/** Resolves to undefined if the engine responded, else to the sentence that names its setting. */
async function probe({ setting, address, ask: send }: Probe, timeoutMs: number): Promise<string | undefined> {
  const enough = new AbortController();
  const late = sleep(timeoutMs, 'late' as const, { signal: enough.signal });
  const describe = (reason: string) =>
    `${setting}: no engine responds at ${address} (${reason}). Start it, or correct the setting.`;
  try {
    const result = await Promise.race([send(enough.signal), late]);
    return result === 'late' ? describe(`no response within ${timeoutMs / 1000} seconds`) : undefined;
  } catch (error) {
    return isSilence(error) || error instanceof OtherServer ? describe(explain(error)) : undefined;
  } finally {
    late.catch(() => {});
    enough.abort();
  }
}

/**
 * Checks concurrently whether every configured engine responds. Resolves to a sentence that names the setting of the
 * first one that does not, or to undefined. Loads no engine's client, so that `up` stays small.
 */
export async function findSilentEngine(config: Config, timeoutMs = responseMs): Promise<string | undefined> {
  const sentences = await Promise.all(listProbes(config).map((one) => probe(one, timeoutMs)));
  return sentences.find(Boolean);
}
