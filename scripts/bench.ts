// `npm run bench`: runs every comparison, one after the other. The rounds of a comparison alternate within one run, and
// its figures are ratios. They are written into docs/performance.md, whose other rows stay.
//   npm run bench -- edge gateway     runs some of them
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { writeFigures } from '../test/bench/report/write-figures.ts';

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'test', 'bench');
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Choose from ${all.join(', ')}.\n`);
  process.exit(2);
}

/** Benchmarks that measure a stack like that of the tests, which keeps running meanwhile. */
const onStack = new Set(['event-loop', 'media', 'upload-memory']);

/** Starts that stack and resolves when it is ready; SIGTERM ends it. Throws if it ends before that. */
async function keepStack(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const program = path.join(root, 'test', 'harness', 'serve-stack.ts');
  const stack = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(stack.stdout)) if (line === 'ready') return stack;
  throw new Error('The stack for the benchmark did not start.');
}

/** Runs one benchmark. Returns the figures that it reported, and whether it succeeded. */
async function runBench(name: string) {
  const temporary = mkdtempSync(path.join(tmpdir(), 'fieldstone-figures-'));
  const file = path.join(temporary, 'figures.jsonl');
  const env = { ...process.env, FIELDSTONE_BENCH_FIGURES: file, FIELDSTONE_TEST_RUN: 'bench' };
  const stack = onStack.has(name) ? await keepStack(env) : null;
  const { status } = spawnSync(process.execPath, [path.join(folder, `${name}.ts`)], { stdio: 'inherit', env });
  if (stack?.kill('SIGTERM')) await once(stack, 'exit');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(temporary, { recursive: true });
  return { ok: status === 0, figures: lines.map((line) => ({ ...JSON.parse(line), bench: name })) };
}

let failed = 0;
for (const name of names.length > 0 ? names : all) {
  process.stdout.write(`\n== ${name}\n`);
  const { ok, figures } = await runBench(name);
  if (ok) writeFigures(path.join(root, 'docs', 'performance.md'), [name], figures);
  else failed++;
}
process.exitCode = failed > 0 ? 1 : 0;
