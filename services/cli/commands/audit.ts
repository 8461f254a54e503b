import { once } from 'node:events';
import type { Command } from 'commander';
import { parseTimestamp } from '../../core/timestamp.ts';
import { presentChange, readChanges } from '../../features/audit/index.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

interface ExportOptions extends CommonOptions {
  site?: string;
  since?: string;
  until?: string;
}

function readTime(name: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : parseTimestamp(text);
  if (time === null) {
    const message = `--${name} takes a UTC time such as 2026-01-31T12:00:00Z, not "${text}".`;
    throw new CliError(message, { code: 'usage' });
  }
  return time;
}

/** Prints one change per line, oldest first, or with `--json` one array. Memory use is constant. */
async function exportAll(options: ExportOptions): Promise<void> {
  const [since, until] = [readTime('since', options.since), readTime('until', options.until)];
  await withDatabase(options.data, async ({ db }) => {
    let before = options.json ? '[' : '';
    for await (const row of readChanges(db, options.site ?? null, { since, until })) {
      const written = process.stdout.write(`${before}${JSON.stringify(presentChange(row))}`);
      if (!written) await once(process.stdout, 'drain');
      before = options.json ? ',\n' : '\n';
    }
    const end = options.json ? `${before === '[' ? before : ''}]\n` : before;
    process.stdout.write(end);
  });
}

/** Adds `fieldstone audit export`. */
export function register(program: Command): void {
  const audit = program.command('audit').description('the record of who changed what');
  addCommand(audit, 'export', 'print changes as JSON lines, oldest first')
    .option('--site <slug>', 'only changes of one site, which may have been deleted')
    .option('--since <time>', 'only changes at or after this UTC time')
    .option('--until <time>', 'only changes before this UTC time')
    .action(command(exportAll));
}
