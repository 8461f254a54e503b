// Fuzzes every parser of external input:
//
//   npm run fuzz                                  all, 100,000 inputs each, and the search for slow ones
//   npm run fuzz -- "twig template" slug --runs 5000 --seed 7
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import type { FuzzTarget } from './target.ts';
import { fuzzTargets } from './targets/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' }, list: { type: 'boolean' } },
});
const runs = Number(values.runs);
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed);
const pumpedLength = 200_000;
/** Linear work never takes this long for 200,000 characters; quadratic work takes minutes. */
const slowMs = 3_000;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function fuzz(target: FuzzTarget): Promise<string | null> {
  let slowest = { ms: 0, input: '' };
  const property = fc.asyncProperty(target.inputs, async (input) => {
    const start = cpuMs();
    await target.check(input);
    const ms = cpuMs() - start;
    if (ms > slowest.ms) slowest = { ms, input: fc.stringify(input).slice(0, 200) };
  });
  const result = await fc.check(property, { numRuns: runs, seed });
  const time = `slowest ${Math.round(slowest.ms)} ms`;
  if (!result.failed) {
    process.stdout.write(`ok    ${target.name}: ${result.numRuns} inputs, ${time}\n`);
    return slowest.ms > slowMs ? `${target.name} took ${Math.round(slowest.ms)} ms for ${slowest.input}` : null;
  }
  return `${target.name}: ${fc.stringify(result.counterexample)}\n${String((result.errorInstance as Error)?.stack ?? '')}`;
}

/** Parses long texts of a few repeated pieces, which expose parsers that backtrack. */
async function pump({ name, pump: work }: FuzzTarget): Promise<string | null> {
  if (!work) return null;
  const unit = fc.array(fc.constantFrom(...work.pieces), { minLength: 1, maxLength: 3 });
  const units = [...work.pieces.map((piece) => [piece]), ...fc.sample(unit, { numRuns: 60, seed })];
  for (const parts of units) {
    const text = parts.join('').repeat(Math.ceil(pumpedLength / Math.max(1, parts.join('').length)));
    const start = cpuMs();
    await work.parse(text);
    const ms = cpuMs() - start;
    if (ms > slowMs)
      return `${name} takes ${Math.round(ms)} ms for ${pumpedLength} characters of ${JSON.stringify(parts.join(''))}`;
  }
  return null;
}

const unknown = positionals.filter((name) => !fuzzTargets.some((target) => target.name === name));
if (unknown.length > 0 || values.list) {
  process.stdout.write(`${fuzzTargets.map(({ name }) => name).join('\n')}\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}
process.stdout.write(`seed ${seed}\n`);
let failures = 0;
for (const target of fuzzTargets) {
  if (positionals.length > 0 && !positionals.includes(target.name)) continue;
  for (const finding of [await fuzz(target), await pump(target)]) {
    if (finding === null) continue;
    failures++;
    process.stdout.write(`FOUND ${finding}\n`);
  }
}
process.exitCode = failures > 0 ? 1 : 0;
