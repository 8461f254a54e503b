import type { Command } from 'commander';
import { type CreatedKey, createKey, listKeys, revokeKey, rotateKey } from '../../features/keys/index.ts';
import { auditing, changeOf } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult, splitList } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

function describeKey(key: CreatedKey): string {
  return `${key.key}\n${key.name}: scopes ${key.scopes.join(', ')}; sites ${key.sites.join(', ')}\nThe key is shown this once; keep it now.`;
}

/** Returns the state of a key, padded to one width. */
function stateOf({ revoked_at, expires_at }: { revoked_at: string | null; expires_at: string | null }): string {
  if (revoked_at) return 'revoked';
  return expires_at && new Date(expires_at) <= new Date() ? 'expired' : 'active ';
}

function parseMinutes(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,6}$/.test(text))
    throw new CliError(`--overlap takes a number of minutes, not "${text}".`, { code: 'usage' });
  return Number(text);
}

/** Adds `fieldstone keys create|list|rotate|revoke`. */
export function register(program: Command): void {
  const keys = program.command('keys').description('make and revoke API keys');
  const add = (name: string, description: string) => addCommand(keys, name, description);

  add('create', 'make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scopes <list>', 'scopes, comma-separated')
    .requiredOption('--sites <list>', "site slugs, comma-separated, or '*' for every site")
    .option('--user <email>', 'the owner; the first administrator when absent')
    .option('--expires <timestamp>', 'when the key stops working, UTC, such as 2027-01-31T00:00:00Z; never when absent')
    .action(
      command(
        async (
          options: CommonOptions & { name: string; scopes: string; sites: string; user?: string; expires?: string },
        ) => {
          const request = {
            name: options.name,
            scopes: splitList(options.scopes),
            sites: splitList(options.sites),
            userEmail: options.user,
            expires_at: options.expires ?? null,
          };
          const key = await withDatabase(options.data, ({ db }) =>
            auditing<CreatedKey>(db, ({ id, name }) => changeOf('keys.create', 'keys', id, name)()).transaction((tx) =>
              createKey(tx, request),
            ),
          );
          printResult(key, options.json, describeKey);
        },
      ),
    );

  add('list', 'list keys, newest first').action(
    command(async (options: CommonOptions) => {
      const found = await withDatabase(options.data, ({ db }) => listKeys(db));
      printResult(
        found,
        options.json,
        (all) =>
          all
            .map(
              (key) =>
                `${key.id}  ${stateOf(key)}  ${key.name}  [${key.scopes.join(',')}] on [${key.sites.join(',')}]  ${key.user}`,
            )
            .join('\n') || 'There is no key yet.',
      );
    }),
  );

  add('rotate <id>', 'replace the secret of a key; the old one expires at once')
    .option('--overlap <minutes>', 'how long the old secret stays valid')
    .action(
      command(async (id: string, options: CommonOptions & { overlap?: string }) => {
        const overlapMinutes = parseMinutes(options.overlap);
        const key = await withDatabase(options.data, ({ db }) =>
          auditing(db, changeOf('keys.rotate', 'keys', id)).transaction((tx) => rotateKey(tx, id, overlapMinutes)),
        );
        printResult(key, options.json, describeKey);
      }),
    );

  add('revoke <id>', 'revoke a key; it stops working immediately').action(
    command(async (id: string, options: CommonOptions) => {
      await withDatabase(options.data, ({ db }) =>
        auditing(db, changeOf('keys.revoke', 'keys', id)).transaction((tx) => revokeKey(tx, id)),
      );
      printResult({ id, revoked: true }, options.json, () => `Key ${id} is revoked.`);
    }),
  );
}
