import { type Command, Option } from 'commander';
import type { Db } from '../../core/db.ts';
import { type SiteRole, siteRoles } from '../../core/roles.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { composeMail, createLink, invite, type Link, removeTotp } from '../../features/people/index.ts';
import { findUserByEmail, firstAdministrator } from '../../features/users/index.ts';
import { auditing, changeOf } from '../auditing.ts';
import type { CommonOptions } from '../command-options.ts';
import { CliError, command, printResult, toSentence } from '../run-command.ts';
import { type CommandContext, withDatabase } from '../with-database.ts';

/** The output of a command: the new link, and whether it was also mailed. */
interface PrintedLink {
  email: string;
  link: string | null;
  expires_at: string | null;
  mailed: boolean;
}

/**
 * Mails the link if a mail server is set, and returns whether it did. A failure goes to standard error, because the
 * printed link still works.
 */
async function mailLink({ config }: CommandContext, email: string, link: Link): Promise<boolean> {
  const { openMailer } = await import('../../engines/smtp/mailer.ts');
  const mailer = await openMailer(config);
  if (!mailer) return false;
  try {
    await mailer.send(composeMail(email, link));
    return true;
  } catch (error) {
    process.stderr.write(`The mail to ${email} was not sent: ${toSentence(error)}\n`);
    return false;
  } finally {
    mailer.close();
  }
}

function describeLink({ email, link, expires_at, mailed }: PrintedLink): string {
  if (link === null) return `${email} has the role, and has a password already: no link is needed.`;
  return `${link}\nThe link is for ${email}, works once, and until ${expires_at}.${mailed ? ' It was also sent by mail.' : ''}`;
}

/**
 * Prints the link that `make` creates in a transaction, which also records `operation`, and mails it unless `mail` is
 * false.
 */
async function printLink(
  operation: string,
  options: CommonOptions,
  make: (context: CommandContext, tx: Db) => Promise<{ email: string; link: Link | undefined }>,
  { mail = true } = {},
): Promise<void> {
  const printed = await withDatabase(options.data, async (context): Promise<PrintedLink> => {
    const change = ({ email: user }: { email: string }) => changeOf(operation, 'users', null, user)();
    const { email, link } = await auditing(context.db, change).transaction((tx) => make(context, tx));
    if (!link) return { email, link: null, expires_at: null, mailed: false };
    const mailed = mail && (await mailLink(context, email, link));
    return { email, link: link.url, expires_at: formatTimestamp(link.expiresAt), mailed };
  });
  printResult(printed, options.json, describeLink);
}

async function inviteUser(email: string, options: CommonOptions & { site: string; role: SiteRole }): Promise<void> {
  const { site, role } = options;
  await printLink('users.invite', options, async ({ config }, tx) => ({
    email: email.toLowerCase(),
    link: await invite(tx, config, { email, site, role }),
  }));
}

/**
 * Returns the user with this e-mail, or the first administrator without one. Throws a CliError `not_found`, or `failed`
 * if deactivated.
 */
async function requireActive(tx: Db, email: string | undefined) {
  const user = email === undefined ? await firstAdministrator(tx) : await findUserByEmail(tx, email);
  if (!user) throw new CliError(`There is no user ${email ?? 'who is an administrator'}.`, { code: 'not_found' });
  if (!user.active) throw new CliError(`The user ${user.email} is deactivated.`);
  return user;
}

async function reset(email: string, options: CommonOptions & { totp?: boolean }): Promise<void> {
  await printLink('users.reset', options, async ({ config }, tx) => {
    const { id, email: stored } = await requireActive(tx, email);
    if (options.totp) await removeTotp(tx, id);
    return { email: stored, link: await createLink(tx, config, id, 'reset') };
  });
}

async function link(email: string | undefined, options: CommonOptions & { mail: boolean }): Promise<void> {
  await printLink(
    'users.link',
    options,
    async ({ config }, tx) => {
      const user = await requireActive(tx, email);
      return { email: user.email, link: await createLink(tx, config, user.id, 'sign_in') };
    },
    { mail: options.mail },
  );
}

/** Adds `fieldstone users invite|reset|link`. `onSite` describes `--site`. */
export function addLinkCommands(add: (name: string, description: string) => Command, onSite: string): void {
  add('invite <email>', 'give a person a role, and make the link that sets name and password')
    .requiredOption('--site <site>', onSite)
    .addOption(new Option('--role <role>', 'the role').choices(siteRoles).makeOptionMandatory())
    .action(command(inviteUser));
  add('reset <email>', 'make the link that sets a new password')
    .option('--totp', 'also end two-factor sign-in, for a lost device')
    .action(command(reset));
  add('link [email]', 'make the link that signs a user in once; the first administrator when absent')
    .option('--no-mail', 'print it only')
    .action(command(link));
}
