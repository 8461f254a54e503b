import type { Command } from 'commander';
import type { EngineConfig } from '../../core/config.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { bad, type Finding, good, note } from '../doctor/finding.ts';
import { command, printResult, toSentence } from '../run-command.ts';
import { loadCommandConfig } from '../settings.ts';
import { noteOfSharedHost } from '../shared-host-note.ts';

/** Runs every check concurrently; none rejects. */
async function examineAll(config: EngineConfig): Promise<Finding[]> {
  const [{ checkDatabase }, { checkActors }, { checkBackups, checkObjects }, { checkAddress }] = await Promise.all([
    import('../doctor/database.ts'),
    import('../doctor/actors.ts'),
    import('../doctor/objects.ts'),
    import('../doctor/addresses.ts'),
  ]);
  const found = await Promise.all([
    checkDatabase(config),
    checkActors(config),
    checkObjects(config.objects),
    checkBackups(config.backups),
    checkAddress('gateway', config.url, 'FIELDSTONE_URL'),
    checkAddress('edge', config.edgeUrl, 'FIELDSTONE_EDGE_URL'),
  ]);
  const sharedHost = noteOfSharedHost(config);
  return [good('settings', 'complete'), ...(sharedHost ? [note('settings', sharedHost)] : []), ...found.flat()];
}

const labels = { ok: 'ok  ', note: 'note', bad: 'bad ' } as const;

function describe(findings: Finding[]): string {
  return findings.map(({ check, level, message }) => `${labels[level]} ${check}: ${message}`).join('\n');
}

async function diagnose(data: string | undefined): Promise<Finding[]> {
  let config: EngineConfig;
  try {
    config = loadCommandConfig(data);
  } catch (error) {
    return [bad('settings', toSentence(error))];
  }
  return examineAll(config);
}

async function doctor(options: CommonOptions): Promise<void> {
  const findings = await diagnose(options.data);
  printResult(findings, options.json, describe);
  const wrong = findings.filter(({ ok }) => !ok);
  if (wrong.length > 0) throw new Error(`To be fixed: ${wrong.map(({ check }) => check).join(', ')}.`);
}

/** Adds `fieldstone doctor`. */
export function register(program: Command): void {
  addCommand(program, 'doctor', 'check the settings and the engines, and say what to fix').action(command(doctor));
}
