import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Mail, Mailer } from '../../../services/engines/smtp/mailer.ts';
import { setPasswordHash } from '../../../services/features/people/accounts-sql.ts';
import { inspectLink } from '../../../services/features/people/links.ts';
import { type MailKind, queueMail, sendDueMails } from '../../../services/features/people/mails.ts';
import { createUser, setUserActive } from '../../../services/features/users/index.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

beforeEach(() => own.db.query('DELETE FROM mails'));

const config = { url: 'https://publish.example.com' };
const log = { warn: jest.fn(), error: jest.fn() };
const makeUser = () => createUser(own.db, `u-${randomUUID()}@example.com`);

/** A server that keeps mails, or refuses each with this sentence. */
function mailer(sent: Mail[], refusal?: string): Mailer {
  return {
    async send(mail) {
      if (refusal) throw new Error(refusal);
      sent.push(mail);
    },
    close: () => undefined,
  };
}
const send = (to: Mailer) => sendDueMails({ db: own.db, config, mailer: to, log });
const rows = () =>
  own.db.query<{ status: string; attempts: number; error: string | null }>(
    'SELECT status, attempts, error FROM mails ORDER BY created_at',
  );
const makeDue = () => own.db.query("UPDATE mails SET next_attempt_at = now() - INTERVAL '1 hour'");

/** Queues a mail that is due; the database rounds the time of a new one to a millisecond, which may be the next. */
async function queueDue(...mail: [email: string, kind: MailKind]): Promise<void> {
  await queueMail(own.db, ...mail);
  await makeDue();
}

test('a mail is sent once by several workers, with a link that works', async () => {
  const { email, id } = await makeUser();
  await queueDue(email.toUpperCase(), 'reset');
  const sent: Mail[] = [];
  await Promise.all([send(mailer(sent)), send(mailer(sent)), send(mailer(sent))]);
  expect(sent.map(({ to }) => to)).toEqual([email]);
  const token = /link#([\w-]+)/.exec(sent[0]!.text)![1]!;
  expect(await inspectLink(own.db, token)).toMatchObject({ kind: 'reset', account: { id } });
  expect(await rows()).toEqual([{ status: 'sent', attempts: 1, error: null }]);
});

test('of requests within two minutes for one address and purpose, one is sent', async () => {
  const { email } = await makeUser();
  for (const kind of ['reset', 'reset', 'invitation'] as const) await queueMail(own.db, email, kind);
  expect(await rows()).toHaveLength(2);
  await own.db.query("UPDATE mails SET created_at = now() - INTERVAL '3 minutes'");
  await queueMail(own.db, email, 'reset');
  expect(await rows()).toHaveLength(3);
});

describe('no mail is sent', () => {
  test('to an unknown address, or for a deactivated user; no link is made', async () => {
    const { email, id } = await makeUser();
    await own.db.transaction((tx) => setUserActive(tx, email, false));
    await queueDue(email, 'reset');
    await queueDue('nobody@example.com', 'reset');
    const sent: Mail[] = [];
    await send(mailer(sent));
    expect([sent, (await rows()).map(({ status }) => status)]).toEqual([[], ['dropped', 'dropped']]);
    expect(await own.db.query('SELECT kind FROM account_links WHERE user_id = $1', [id])).toEqual([]);
  });

  test('for an invitation that was accepted meanwhile', async () => {
    const { email, id } = await makeUser();
    await setPasswordHash(own.db, id, 'hash');
    await queueDue(email, 'invitation');
    const sent: Mail[] = [];
    await send(mailer(sent));
    expect(sent).toEqual([]);
  });
});

test('a failure is kept and logged, retried later, and after four attempts final', async () => {
  const { email } = await makeUser();
  await queueDue(email, 'invitation');
  const refusing = mailer([], '451 try again later');
  await send(refusing);
  await send(refusing); // not due yet
  expect(await rows()).toEqual([{ status: 'queued', attempts: 1, error: '451 try again later' }]);
  for (let attempt = 2; attempt <= 5; attempt++) {
    await makeDue();
    await send(refusing);
  }
  expect(await rows()).toEqual([{ status: 'failed', attempts: 4, error: '451 try again later' }]);
  expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([3, 1]);
  expect(JSON.stringify([...log.warn.mock.calls, ...log.error.mock.calls])).not.toMatch(/link#|@example\.com/);
});
