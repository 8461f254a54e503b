// `npm run mutate`: changes the code in small ways (Stryker's mutants) and checks that the quick unit tests detect it.
// The figures are written into docs/mutation.md; the rows of files that were not measured stay.
//   npm run mutate -- --mutate services/core/slug.ts    one file
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type MutationReport, mergeRows, rowsOf } from './mutation-rows.ts';

const root = path.join(import.meta.dirname, '..');
const reportFile = path.join(root, '.stryker-tmp', 'mutation.json');
const page = path.join(root, 'docs', 'mutation.md');
const begin = '<!-- figures: written by npm run mutate -->';
const end = '<!-- end of figures -->';

rmSync(reportFile, { force: true });
const stryker = path.join(root, 'node_modules', '.bin', 'stryker');
const { status } = spawnSync(stryker, ['run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const report = JSON.parse(readFileSync(reportFile, 'utf8')) as MutationReport;
const text = readFileSync(page, 'utf8');
const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
const table = mergeRows(text.slice(from, to), rowsOf(report, new Date()));
writeFileSync(page, `${text.slice(0, from)}\n${table}\n${text.slice(to)}`);
