import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { createLogger } from '../../core/log.ts';
import { openActorClient } from '../../engines/actors/open.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import { createTemplateChecker } from '../../engines/sandbox/template-checker.ts';
import { pushTheme, readThemeFolder, type ThemeResult, unpackTheme } from '../../features/shell/index.ts';
import { auditing, siteChange } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { requireSite, withDatabase } from '../with-database.ts';

/** Opens a theme on this machine: a folder, or an archive. */
async function openTheme(place: string) {
  const found = await stat(place).catch(() => null);
  if (!found) throw new CliError(`There is no folder or archive ${place}.`, { code: 'not_found' });
  if (!found.isDirectory()) return unpackTheme(await readFile(place));
  return readThemeFolder(place, (name) => process.stderr.write(`left out: ${name}\n`));
}

function describe({ files, added, changed, removed, snapshot, job, warnings }: ThemeResult): string {
  const lines = warnings.map(({ message }) => `warning: ${message}`);
  if (snapshot === null) return [...lines, `All ${files} files were there already.`].join('\n');
  const done = `${added} added, ${changed} changed, ${removed} removed; the shell before is snapshot ${snapshot}, the preview is job ${job}.`;
  return [...lines, done].join('\n');
}

async function push(slug: string, place: string, options: CommonOptions & { merge?: boolean }): Promise<void> {
  await withDatabase(options.data, async ({ config, db }) => {
    const site = await requireSite({ db }, slug);
    const templates = createTemplateChecker();
    const actors = await openActorClient(config, createLogger('cli', 'silent'));
    try {
      const audited = auditing(db, siteChange('shell.push', site, 'shell', null));
      const app = { config, db: audited, objects: openObjectStore(config.objects, db), templates };
      const result = await pushTheme(app, site.id, await openTheme(place), options.merge ? 'merge' : 'replace');
      if (result.job) actors.wakeSite(site.id);
      printResult(result, options.json, describe);
    } finally {
      await Promise.all([actors.close(), templates.stop()]);
    }
  });
}

/** Adds `fieldstone shell push`. */
export function register(program: Command): void {
  const shell = program.command('shell').description("a site's theme");
  addCommand(shell, 'push <site> <theme>', 'make a folder, tar or zip the shell of a site, and build its preview')
    .option('--merge', 'keep the files that the theme lacks')
    .action(command(push));
}
