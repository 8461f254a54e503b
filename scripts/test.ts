// `npm test`: runs every check of the project, one after the other. The last line is `N passed, N failed`.
//   npm test                          all steps; as root on Debian, first installs the programs that tests use
//   npm test -- unit chart            some steps; changes only caches of tools on the machine
//   npm test -- quick                 the checks before each commit
//   npm test -- chart --require       fails instead of skipping, and for a test that passes only the second time
//   npm test -- --help                lists the steps and what each proves
import { installDebianPackages } from './debian-packages.ts';
import type { Outcome } from './test-steps/run.ts';
import { type Step, steps } from './test-steps/table.ts';

const words = process.argv.slice(2);
const require = words.includes('--require');
const leftOut = require ? 'MISSING' : 'SKIPPED';
const stepNames = words.filter((word) => word !== '--require');

/** Returns the named steps, in the order of the table; all steps if no step is named. */
function chooseSteps(): readonly Step[] {
  if (stepNames.length === 0) return steps;
  return steps.filter(({ name, quick }) => stepNames.includes(name) || (quick && stepNames.includes('quick')));
}

/** Skips a step that lacks something. With `--require`, everything skipped and every flaky test is a failure. */
async function runStep(step: Step): Promise<Outcome> {
  const missing = step.needs?.() ?? null;
  const outcome = missing === null ? await step.run({ require }) : { passed: 0, failed: 0, skipped: [missing] };
  const { failed, flaky = [] } = outcome;
  return require ? { ...outcome, failed: failed + outcome.skipped.length + flaky.length } : outcome;
}

async function runSteps(chosen: readonly Step[]): Promise<void> {
  const startedMs = performance.now();
  const total = { passed: 0, failed: 0 };
  const failedSteps: string[] = [];
  const skipped: string[] = [];
  const flaky: string[] = [];
  for (const step of chosen) {
    process.stdout.write(`\n== ${step.name}\n`);
    const stepStartedMs = performance.now();
    const outcome = await runStep(step);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    if (outcome.failed > 0) failedSteps.push(step.name);
    skipped.push(...outcome.skipped.map((reason) => `${leftOut}: ${step.name}: ${reason}`));
    flaky.push(...(outcome.flaky ?? []).map((name) => `FLAKY: ${step.name}: ${name}`));
    const seconds = Math.round((performance.now() - stepStartedMs) / 1000);
    process.stdout.write(`== ${step.name}: ${outcome.passed} passed, ${outcome.failed} failed, ${seconds} s\n`);
  }
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  process.stdout.write(`\n${chosen.length} steps took ${minutes} minutes.\n`);
  if (failedSteps.length > 0) process.stdout.write(`Failed: ${failedSteps.join(', ')}\n`);
  for (const line of [...flaky, ...skipped]) process.stdout.write(`${line}\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

async function main(): Promise<void> {
  if (words.includes('--help')) {
    for (const { name, proves, quick } of steps)
      process.stdout.write(`${name.padEnd(14)}${quick ? '(quick) ' : ''}${proves}\n`);
    return;
  }
  const known = ['quick', ...steps.map(({ name }) => name)];
  const unknown = stepNames.filter((word) => !known.includes(word));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown step: ${unknown.join(', ')}. Choose from ${known.join(', ')}.\n`);
    process.exitCode = 2;
    return;
  }
  // only the run of all steps changes the machine
  if (stepNames.length === 0) installDebianPackages();
  await runSteps(chooseSteps());
}

await main();
