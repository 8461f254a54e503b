// `npm test`: every check of the project, one after the other, and one closing line `N passed, N failed`.
//   npm test                    all
//   npm test -- unit            one of: lint, types, dependencies, specification, unit, chart, stack, errors, schemathesis, sql
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installDebianPackages } from './debian-packages.ts';

interface Outcome {
  passed: number;
  failed: number;
}

const root = path.join(import.meta.dirname, '..');
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name);

function run(command: string, args: string[], env: Record<string, string> = {}): number {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return result.status ?? 1;
}

/** A tool that either finds nothing or fails counts as one test. */
function runTool(name: string, args: string[]): Outcome {
  const failed = run(bin(name), args) === 0 ? 0 : 1;
  return { passed: 1 - failed, failed };
}

function runScript(file: string): Outcome {
  const failed = run(process.execPath, [path.join(root, file)]) === 0 ? 0 : 1;
  return { passed: 1 - failed, failed };
}

function runJest(project: string): Outcome {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-jest-'));
  const report = path.join(folder, 'report.json');
  const args = ['--experimental-vm-modules', '--no-warnings', path.join(root, 'node_modules/jest/bin/jest.js')];
  const status = run(process.execPath, [...args, '--selectProjects', project, '--json', `--outputFile=${report}`]);
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  rmSync(folder, { recursive: true });
  if (!counted) return { passed: 0, failed: 1 };
  // a file that could not even be loaded has no failed test in it, yet it failed
  const failed = counted.numFailedTests + counted.numRuntimeErrorTestSuites;
  return { passed: counted.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

/** The chart's checks need helm, which Go builds once; where there is no Go they are left out, and said to be. */
function runChart(): Outcome {
  if (run('go', ['version']) !== 0) {
    process.stdout.write('SKIPPED: the checks of the chart need Go, which builds helm.\n');
    return { passed: 0, failed: 0 };
  }
  const lint = runScript('test/k8s/lint.ts');
  const tests = runJest('chart');
  return { passed: lint.passed + tests.passed, failed: lint.failed + tests.failed };
}

/** Generated requests against the live service, few for each operation; it says SKIPPED where there is no Python. */
function runSchemathesis(): Outcome {
  const status = run(process.execPath, [path.join(root, 'scripts', 'schemathesis.ts'), '--examples', '3']);
  if (status === 77) return { passed: 0, failed: 0 };
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const steps: Record<string, () => Outcome> = {
  lint: () => runTool('biome', ['check', '--error-on-warnings']),
  types: () => runTool('tsc', ['-p', '.']),
  dependencies: () =>
    runTool('depcruise', ['--config', '.dependency-cruiser.cjs', 'services', 'workflows', 'scripts', 'test/harness']),
  specification: () => runScript('scripts/specification.ts'),
  unit: () => runJest('unit'),
  chart: runChart,
  stack: () => runJest('stack'),
  errors: () => runScript('scripts/documented-errors.ts'),
  schemathesis: runSchemathesis,
  sql: () => runScript('test/sql-gate/gate.ts'),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no check ${unknown.join(', ')}; choose from ${Object.keys(steps).join(', ')}.\n`);
  process.exit(2);
}

installDebianPackages();
const total: Outcome = { passed: 0, failed: 0 };
const failedSteps: string[] = [];
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n== ${name}\n`);
  const { passed, failed } = step();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failedSteps.push(name);
}
if (failedSteps.length > 0) process.stdout.write(`\nFailed: ${failedSteps.join(', ')}\n`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
