import { type Command, Option } from 'commander';
import type { CopyReport } from '../../engines/objects/copy/copy-objects.ts';
import type { ObjectEngine } from '../../engines/record/record.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import type { CopyResult } from '../objects/copy.ts';
import { CliError, command, printResult } from '../run-command.ts';

const progressEveryMs = 5000;

type CopyOptions = CommonOptions & { from: ObjectEngine; to: ObjectEngine };

const describeReport = ({ objects, copied, bytes }: CopyReport): string =>
  `${objects} objects seen, ${copied} copied (${Math.ceil(bytes / 1_000_000)} MB)`;

function describe(result: CopyResult): string {
  const { from, to, objects_engine, fallback } = result;
  const lines = [`${describeReport(result)}; the others were there.`];
  if (objects_engine !== to) {
    lines.push(
      `The service still stores objects in ${objects_engine}. To switch: stop it, copy once more, then fieldstone engines set --objects ${to}.`,
    );
  } else if (fallback === null) lines.push(`Everything is in ${to}; nothing is read from ${from} any more.`);
  return lines.join('\n');
}

/** Makes the command fail if objects could not be copied, although the others were. */
function throwIfIncomplete({ lost, damaged }: CopyReport): void {
  const faults = [
    ...(lost > 0 ? [`${lost} objects are in neither store`] : []),
    ...(damaged.length > 0 ? [`${damaged.length} blobs in the source do not match their hash (${damaged[0]}, …)`] : []),
  ];
  if (faults.length > 0) throw new CliError(`${faults.join(', and ')}: restore what they belong to from a backup.`);
}

async function copy({ from, to, data, json }: CopyOptions): Promise<void> {
  const [{ copyStore }, { withInstallation }] = await Promise.all([
    import('../objects/copy.ts'),
    import('../installation.ts'),
  ]);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort(new CliError('Stopped; run the same command again to continue.')));
  }
  const note = (line: string) => void (json || process.stderr.write(`${line}\n`));
  let toldAt = performance.now();
  const progress = (report: CopyReport) => {
    if (performance.now() - toldAt < progressEveryMs) return;
    toldAt = performance.now();
    note(describeReport(report));
  };
  await withInstallation(data, process.env, async (installation) => {
    const options = { note, progress, signal: stop.signal };
    const result = await copyStore(installation, { from, to }, process.env, options);
    printResult(result, json, describe);
    throwIfIncomplete(result);
  });
}

const store = (flag: string, what: string) => new Option(flag, what).choices(['files', 's3']).makeOptionMandatory();

/** Adds `fieldstone objects copy`. */
export function register(program: Command): void {
  const objects = program.command('objects').description('the objects of an installation');
  addCommand(objects, 'copy', 'copy every object to another store, verified, while the service runs')
    .addOption(store('--from <store>', 'the store to copy from'))
    .addOption(store('--to <store>', 'the store to copy to; S3_… in the environment name a bucket'))
    .action(command(copy));
}
