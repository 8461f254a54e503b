import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../services/engines-local/ports.ts';
import type { Certificate } from './certificates.ts';
import { endChild } from './child.ts';
import { findPythonTool } from './python-tool.ts';

export interface S3Server {
  /** The settings S3_… for a process that uses it. */
  settings: Record<string, string> &
    Record<'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_REGION', string>;
  stop(): Promise<void>;
}

/** Why a test is skipped without an S3 server. */
export const noS3Server = 'an S3 server needs python3 with venv and pip, or moto_server on PATH';

const startMs = 60_000;

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Returns the program of an S3 server for tests; null if it is not found and Python cannot install it. */
export function findS3Server(): string | null {
  return findPythonTool({
    program: 'moto_server',
    requirement: 'moto[s3]==5.2.5 flask==3.1.2 flask-cors==6.0.1',
    setting: 'MOTO_SERVER',
  });
}

interface S3ServerOptions {
  /** Serves https. */
  certificate?: Certificate;
  /** Added to its environment: the marker of a data folder, so that it ends with its parent. */
  env?: Record<string, string>;
}

/** Starts the S3 server on loopback. Its objects are lost when it stops. */
export async function startS3Server(
  program: string,
  { certificate, env = {} }: S3ServerOptions = {},
): Promise<S3Server> {
  const port = await findFreePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'fs-s3-'));
  const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
  if (certificate) for (const name of ['cert', 'key'] as const) writeFileSync(files[name], certificate[name]);
  const tls = certificate ? ['-c', files.cert, '-k', files.key] : [];
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port), ...tls], {
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const deadline = Date.now() + startMs;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The S3 server did not start.');
    await sleep(100);
  }
  return {
    settings: {
      S3_ENDPOINT: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
      S3_BUCKET: 'fieldstone',
      S3_ACCESS_KEY: 'test',
      S3_SECRET_KEY: 'test-secret',
      S3_REGION: 'us-east-1',
    },
    async stop() {
      await endChild(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
