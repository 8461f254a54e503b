// Runs hadolint on the Dockerfile.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findPythonTool, hadolint } from '../harness/python-tool.ts';

const program = findPythonTool(hadolint);
if (!program) throw new Error('There is no hadolint, and no Python to install it.');
const { status } = spawnSync(program, [path.join(import.meta.dirname, '../../Dockerfile')], { stdio: 'inherit' });
process.stdout.write(`hadolint Dockerfile: ${status === 0 ? 'ok' : 'failed'}\n`);
process.exitCode = status === 0 ? 0 : 1;
