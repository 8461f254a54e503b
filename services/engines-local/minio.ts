import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from './credentials.ts';
import type { ProcessSpec } from './supervise.ts';

const bucket = 'fieldstone';
const region = 'us-east-1';

/** Prepares the MinIO server with its objects in `<dataDir>/minio` and answers how to run it. */
export function prepareMinio(
  dataDir: string,
  binary: string,
  ports: { minio: number; minioConsole: number },
  credentials: Credentials,
  env: Record<string, string>,
) {
  const directory = path.join(dataDir, 'minio');
  const home = path.join(dataDir, 'minio-home');
  for (const folder of [directory, home]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const endpoint = `http://127.0.0.1:${ports.minio}`;
  const spec: ProcessSpec = {
    name: 'minio',
    command: binary,
    args: [
      ...['server', '--quiet', '--address', `127.0.0.1:${ports.minio}`],
      ...['--console-address', `127.0.0.1:${ports.minioConsole}`, '--certs-dir', path.join(home, 'certs'), directory],
    ],
    cwd: home,
    env: {
      ...env,
      HOME: home,
      MINIO_ROOT_USER: credentials.s3AccessKey,
      MINIO_ROOT_PASSWORD: credentials.s3SecretKey,
      MINIO_REGION: region,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 15_000,
    readyTimeoutMs: 60_000,
    isReady: async () => (await fetch(`${endpoint}/minio/health/cluster`, { signal: AbortSignal.timeout(5000) })).ok,
  };
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY: credentials.s3AccessKey,
    S3_SECRET_KEY: credentials.s3SecretKey,
    S3_REGION: region,
  };
  return { spec, settings };
}
