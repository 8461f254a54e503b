/**
 * Measures pages per second of the starter shell's post page: this engine through its sandbox process, in batches as
 * builds send them and page by page, compared with interpreted `twing` and `twig` 3 in this process. Prints the ratios
 * of medians; the aims are 8 and 2 (issue: Speed). Run: node test/bench/twig.ts
 */
import path from 'node:path';
import { createSandboxProcess } from '../../services/engines/sandbox/process.ts';
import { readStarterShell } from '../../services/features/shell/starter/index.ts';
import { figure } from './report/figure.ts';
import { openTwigJs, openTwing } from './twig/others.ts';
import { bodyHtml, pageData } from './twig/page.ts';

const rounds = 7;
const roundMs = 1_000;
const batchSize = 50;
const timeoutMs = 60_000;

type Subject = { name: string; pagesPerCall: number; call: () => unknown; rates: number[] };

async function measure(subject: Subject): Promise<void> {
  const started = performance.now();
  let calls = 0;
  while (performance.now() - started < roundMs) {
    await subject.call();
    calls++;
  }
  subject.rates.push((calls * subject.pagesPerCall * 1000) / (performance.now() - started));
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const squeeze = (html: string) => html.replace(/\s+/g, ' ').trim();

const files = await readStarterShell();
const templates = new Map(
  files.filter((file) => file.path.endsWith('.twig')).map((file) => [file.path, file.bytes.toString('utf8')]),
);
const sandbox = createSandboxProcess({ entry: path.join(import.meta.dirname, 'twig', 'child.ts'), memoryMb: 256 });
await sandbox.call('open', templates, { timeoutMs });
const render = (count: number) =>
  sandbox.call<string[]>('render', Array(count).fill({ data: pageData, body: bodyHtml }), { timeoutMs });

const subjects: Subject[] = [
  { name: 'this engine, sandbox, batches', pagesPerCall: batchSize, call: () => render(batchSize), rates: [] },
  { name: 'this engine, sandbox, page by page', pagesPerCall: 1, call: () => render(1), rates: [] },
  { name: 'twing, interpreted', pagesPerCall: 1, call: openTwing(templates), rates: [] },
  { name: 'twig 3', pagesPerCall: 1, call: openTwigJs(templates), rates: [] },
];

const [ours = ''] = await render(1);
for (const subject of subjects.slice(2)) {
  const theirs = String(subject.call());
  const same =
    theirs === ours ? 'identical' : squeeze(theirs) === squeeze(ours) ? 'same but for white space' : 'different';
  console.log(`${subject.name}: output ${same} (${theirs.length} and ${ours.length} characters)`);
}
for (let round = 0; round < rounds; round++) for (const subject of subjects) await measure(subject);
for (const { name, rates } of subjects) console.log(`${name}: ${Math.round(median(rates))} pages a second`);
const base = median(subjects[0]!.rates);
figure(
  'starter post page, sandbox included, of interpreted twing',
  `${(base / median(subjects[2]!.rates)).toFixed(1)} ×`,
  '8 ×',
);
figure('starter post page, sandbox included, of twig 3', `${(base / median(subjects[3]!.rates)).toFixed(1)} ×`, '2 ×');
await sandbox.stop();
