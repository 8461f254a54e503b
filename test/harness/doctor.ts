import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { stack } from './api.ts';

export interface Finding {
  check: string;
  ok: boolean;
  level: string;
  message: string;
}

export interface Diagnosis {
  code: number;
  findings: Finding[];
  stdout: string;
  stderr: string;
}

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');

/** Runs `fieldstone doctor` as a pod does: with only the environment, in a read-only folder. */
export async function askDoctor(env: Record<string, string> = {}, args = ['--json']): Promise<Diagnosis> {
  const options = { env: { ...stack.env, NODE_OPTIONS: '', ...env }, cwd: '/proc' };
  const { stdout, stderr, code } = await promisify(execFile)(
    process.execPath,
    [program, 'doctor', ...args],
    options,
  ).then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  );
  return { code, stdout, stderr, findings: args.includes('--json') ? JSON.parse(stdout) : [] };
}

/** Returns the finding of one check. */
export const findCheck = ({ findings }: Diagnosis, check: string): Finding =>
  findings.find((finding) => finding.check === check)!;

/** Returns the checks with bad findings. */
export const listBad = ({ findings }: Diagnosis): string[] =>
  findings.filter(({ ok }) => !ok).map(({ check }) => check);
