// An outside check: a program that knows the specification and the contract and nothing else.
//   npm run test:outside                     every area against a stack started by npm run test:serve
//   npm run test:outside -- content webhooks these areas; OUTSIDE_PART=slug only parts with this in their name
import { readdirSync } from 'node:fs';
import { Report, watchEveryReply } from './report.ts';

const areas = readdirSync(`${import.meta.dirname}/areas`)
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();
const wanted = process.argv.slice(2);
const report = new Report();
watchEveryReply(report);
for (const area of areas) {
  if (wanted.length > 0 && !wanted.includes(area)) continue;
  const before = { held: report.held, deviations: report.deviations.length };
  report.area = area;
  const { check } = (await import(`./areas/${area}.ts`)) as { check: (report: Report) => Promise<void> };
  await check(report).catch((error) => report.ok(`${area} could be checked`, false, String(error?.stack ?? error)));
  for (const { rule, detail } of report.deviations.slice(before.deviations))
    console.log(`  ✗ ${rule}\n      ${detail}`);
  console.log(`${area}: ${report.held - before.held} held, ${report.deviations.length - before.deviations} did not`);
}
console.log(`${report.held} passed, ${report.deviations.length} failed`);
process.exit(report.deviations.length > 0 ? 1 : 0);
