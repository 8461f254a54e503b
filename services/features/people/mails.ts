import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Logger } from '../../core/log.ts';
import type { Mail, Mailer } from '../../engines/smtp/mailer.ts';
import type { Database } from '../../engines/sql/database.ts';
import { findAccountByEmail } from './accounts-sql.ts';
import { createLink, type Link, type LinkKind, linkMinutes } from './links.ts';

/** The kinds of mail that a worker sends from the queue. */
export type MailKind = Exclude<LinkKind, 'sign_in'>;
export type MailStatus = 'queued' | 'sent' | 'failed' | 'dropped';

/** Seconds until each retry, longer than the timeout of one attempt. After the last retry the mail has failed. */
const retrySeconds = [60, 300, 1800];
const batchSize = 20;
const maxErrorLength = 300;

const texts: Record<LinkKind, { subject: string; reason: string }> = {
  invitation: { subject: 'Your invitation to Fieldstone', reason: 'You were invited to publish with Fieldstone.' },
  reset: { subject: 'Set a new password', reason: 'A new password was requested for your account.' },
  sign_in: { subject: 'Your sign-in link', reason: 'A link that signs you in was made for your account.' },
};

/** Returns the mail that contains a link. */
export function composeMail(to: string, { kind, url }: Pick<Link, 'kind' | 'url'>): Mail {
  const { subject, reason } = texts[kind];
  const text = `${reason}\n\nOpen this link within ${linkMinutes} minutes. It works once:\n\n${url}\n\nIf you did not expect this mail, ignore it: nothing changes.\n`;
  return { to, subject, text };
}

/**
 * Queues a mail for an e-mail address whether or not such a user exists, so that the response does not reveal it.
 * Queues nothing within two minutes of the last mail of this kind, so that no one can flood the mailbox of another
 * person.
 */
export async function queueMail(db: Db, email: string, kind: MailKind): Promise<void> {
  await db.query(
    `INSERT INTO mails (email, kind) SELECT $1::TEXT, $2::TEXT WHERE NOT EXISTS (
       SELECT 1 FROM mails m WHERE m.email = $1::TEXT AND m.kind = $2::TEXT AND m.created_at > now() - INTERVAL '2 minutes')`,
    [email.toLowerCase(), kind],
  );
}

interface MailRow {
  id: string;
  email: string;
  kind: MailKind;
  attempts: number;
}

interface Deps {
  db: Database;
  config: Pick<Config, 'url'>;
  mailer: Mailer;
  log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Claims one attempt; returns false if another worker has it. The mail becomes due again later in case this worker
 * stops before sending.
 */
async function claim(db: Db, { id, attempts }: MailRow): Promise<boolean> {
  const next = new Date(Date.now() + (retrySeconds[attempts] ?? retrySeconds.at(-1)!) * 1000);
  const rows = await db.query(
    `UPDATE mails SET attempts = $2::INT4 + 1, next_attempt_at = $3
     WHERE id = $1 AND attempts = $2::INT4 AND status = 'queued' RETURNING id`,
    [id, attempts, next],
  );
  return rows.length > 0;
}

/**
 * Creates the link for a mail. Returns undefined for an unknown or deactivated user, and for an invitation that is
 * already accepted.
 */
async function linkFor(db: Db, config: Pick<Config, 'url'>, { email, kind }: MailRow): Promise<Link | undefined> {
  const account = await findAccountByEmail(db, email);
  if (!account?.active || (kind === 'invitation' && account.password_hash !== null)) return undefined;
  return createLink(db, config, account.id, kind);
}

const finish = (db: Db, id: string, status: MailStatus, error: string | null = null) =>
  db.query('UPDATE mails SET status = $2, error = $3 WHERE id = $1', [id, status, error]);

async function sendOne({ db, config, mailer, log }: Deps, row: MailRow): Promise<void> {
  if (!(await claim(db, row))) return;
  const link = await db.transaction((tx) => linkFor(tx, config, row));
  if (!link) {
    await finish(db, row.id, 'dropped');
    return;
  }
  try {
    await mailer.send(composeMail(row.email, link));
    await finish(db, row.id, 'sent');
  } catch (error) {
    const isLast = row.attempts >= retrySeconds.length;
    const message = (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
    log[isLast ? 'error' : 'warn']({ mail: row.id, attempt: row.attempts + 1, cause: message }, 'a mail was not sent');
    await finish(db, row.id, isLast ? 'failed' : 'queued', message);
  }
}

/** Sends the due mails sequentially. A failure is stored with the mail, logged and retried. */
export async function sendDueMails(deps: Deps): Promise<void> {
  const due = await deps.db.query<MailRow>(
    `SELECT id, email, kind, attempts FROM mails WHERE status = 'queued' AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT $1`,
    [batchSize],
  );
  for (const row of due) await sendOne(deps, row);
}
