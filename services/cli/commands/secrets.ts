import type { Command } from 'commander';
import { endpointSecrets } from '../../features/events/index.ts';
import { integrationSecrets } from '../../features/integrations/index.ts';
import { rekeyTotp } from '../../features/people/index.ts';
import { auditing, changeOf } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { command, printResult } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

/** Adds `fieldstone secrets rekey`. */
export function register(program: Command): void {
  const secrets = program.command('secrets').description('secrets that are encrypted at rest');
  addCommand(
    secrets,
    'rekey',
    'encrypt signing secrets and those of two-factor sign-in under the first key of FIELDSTONE_SECRET_KEY',
  ).action(
    command(async (options: CommonOptions) => {
      const rekeyed = await withDatabase(options.data, async ({ db, cipher }) =>
        auditing(db, changeOf('secrets.rekey', 'secrets', null)).transaction(
          async (tx) =>
            (await integrationSecrets.rekey(tx, cipher)) +
            (await endpointSecrets.rekey(tx, cipher)) +
            (await rekeyTotp(tx, cipher)),
        ),
      );
      const tell = () =>
        `${rekeyed} integrations, endpoints and second factors were changed. Stored replies under older keys expire within 24 hours.`;
      printResult({ rekeyed }, options.json, tell);
    }),
  );
}
