import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findHelm } from '../../test/harness/helm.ts';
import { findPythonTool, hadolint, type PythonTool, schemathesis } from '../../test/harness/python-tool.ts';
import { needsS3, runCluster } from './cluster.ts';
import { type Outcome, runBoth, runJest, runScript, runTool } from './run.ts';

/** `require`: nothing may be skipped (`--require`). */
export interface StepOptions {
  require: boolean;
}

export interface Step {
  name: string;
  /** The statement that the step proves if it passes. */
  proves: string;
  /** Whether `npm test -- quick` includes it. */
  quick?: boolean;
  /** Returns why the step cannot run on this machine; null if it can. For programs that npm does not provide. */
  needs?(): string | null;
  run(options: StepOptions): Promise<Outcome>;
}

const testFolder = path.join(import.meta.dirname, '..', '..', 'test');

function needsPython(tool: PythonTool): string | null {
  if (findPythonTool(tool)) return null;
  return `${tool.program} needs python3 with venv and pip, and its package`;
}

function needsHelm(): string | null {
  const found = findHelm();
  if ('missing' in found) return found.missing;
  process.env.HELM = found.program; // so that the checks need not look for it again
  return null;
}

/** Returns the tests with a long form (test/harness/long-form.ts), as patterns of their paths. */
function findLongForms(): string[] {
  const files = globSync(['unit/**/*.test.ts', 'limits/**/*.test.ts'], { cwd: testFolder });
  const isLong = (file: string) => readFileSync(path.join(testFolder, file), 'utf8').includes('harness/long-form.ts');
  return files.filter(isLong).map((file) => `test/${file}$`);
}

const folders = ['services', 'workflows', 'scripts', 'test/harness'];

/** Every step of `npm test`, in the order in which they run. `errors` and `sql` read what `stack` has recorded. */
export const steps: readonly Step[] = [
  {
    name: 'lint',
    proves: "the source has the project's format (`npm run format` fixes it) and no common mistakes",
    quick: true,
    run: () => runTool('biome', 'check', '--error-on-warnings'),
  },
  {
    name: 'types',
    proves: 'the compiler finds no errors',
    quick: true,
    run: () =>
      runBoth(
        () => runScript('scripts/build-client.ts'),
        () =>
          runBoth(
            () => runTool('tsc', '-p', '.'),
            () => runTool('tsc', '-p', 'services/dashboard'),
          ),
      ),
  },
  {
    name: 'dependencies',
    proves: 'imports point one way and form no cycles',
    quick: true,
    run: () => runTool('depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', ...folders),
  },
  {
    name: 'specification',
    proves: 'every rule and every threat has tests, and every id in tests has a rule',
    quick: true,
    run: () => runScript('scripts/specification.ts'),
  },
  {
    name: 'unit',
    proves: 'functions and documents are right on their own, without engines',
    quick: true,
    run: () => runJest('unit'),
  },
  {
    name: 'limits',
    proves: 'limits of time, memory and turns hold in real processes and threads, under hostile load',
    run: () => runJest('limits'),
  },
  {
    name: 'long',
    proves: 'tests of sizes and of random inputs hold at their full length too',
    run: () => runJest(['unit', 'limits'], { patterns: findLongForms(), env: { FIELDSTONE_TEST_LONG: 'true' } }),
  },
  {
    name: 'service',
    proves: 'rules of the services hold against PostgreSQL, or the one engine that a test starts; no role runs',
    run: () => runJest('service'),
  },
  {
    name: 'dockerfile',
    proves: 'hadolint finds no problems in the Dockerfile',
    needs: () => needsPython(hadolint),
    run: () => runScript('test/k8s/lint-dockerfile.ts'),
  },
  {
    name: 'chart',
    proves: 'the chart and k8s/ render as expected, and helm finds no problems',
    needs: needsHelm,
    run: () =>
      runBoth(
        () => runScript('test/k8s/lint-chart.ts'),
        () => runJest('chart'),
      ),
  },
  {
    name: 'fresh',
    proves: 'after `npm install`, `npm start` reaches the live demo site with npm alone and without network',
    needs: () => (existsSync('.git') ? null : 'it copies the files that Git tracks, and this is not a Git checkout'),
    run: () => runScript('test/fresh/run.ts'),
  },
  {
    name: 'stack',
    proves: 'the product keeps its contract on the engines of one machine, with two gateways and two edges',
    run: () => runJest('stack'),
  },
  {
    name: 'errors',
    proves: 'the stack tests have seen every error that the OpenAPI document names',
    run: () => runScript('scripts/documented-errors.ts'),
  },
  {
    name: 'schemathesis',
    proves: 'generated requests get only responses that the OpenAPI document describes',
    needs: () => needsPython(schemathesis),
    run: () => runScript('scripts/schemathesis.ts', '--examples', '3'),
  },
  {
    name: 'sql',
    proves: 'CockroachDB accepts every statement',
    run: ({ require }) => runScript('test/sql-gate/gate.ts', ...(require ? ['--require'] : [])),
  },
  {
    name: 'neighbours',
    proves: 'one site that does its worst neither stops another one nor ends a process',
    // alone, because it uses the whole machine, and in another folder than the recordings of `stack`
    run: () => runJest('neighbours', { env: { FIELDSTONE_TEST_RUN: 'neighbours' } }),
  },
  {
    name: 'cluster',
    proves: 'the same as stack on Temporal and an S3 server, with two workers, and tests for these engines only',
    needs: needsS3,
    run: runCluster,
  },
];
