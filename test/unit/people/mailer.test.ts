import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { loadConfig } from '../../../services/core/config.ts';
import { openMailer } from '../../../services/engines/smtp/mailer.ts';
import { composeMail } from '../../../services/features/people/index.ts';

let server: SMTPServer | undefined;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A mail server that keeps what it gets; its URL. */
async function listen(received: string[], refuse = false): Promise<string> {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('no such mailbox') : null),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

const open = async (url: string) =>
  (await openMailer(loadConfig({ FIELDSTONE_SMTP_URL: url, FIELDSTONE_SMTP_FROM: 'Fieldstone <post@example.com>' })))!;
const url = `https://publish.example.com/dashboard/link#${'a'.repeat(43)}`;

test('a mail reaches the server with sender, subject and its link whole', async () => {
  const received: string[] = [];
  const mailer = await open(await listen(received));
  await mailer.send(composeMail('ada@example.com', { kind: 'invitation', url }));
  mailer.close();
  const [text] = received;
  expect(text).toMatch(/^From: Fieldstone <post@example.com>\r?$/m);
  expect(text).toMatch(/^To: ada@example.com\r?$/m);
  expect(text).toMatch(/^Subject: Your invitation to Fieldstone\r?$/m);
  expect(text!.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(url);
});

test('what the server refuses is an error', async () => {
  const mailer = await open(await listen([], true));
  await expect(mailer.send(composeMail('ada@example.com', { kind: 'reset', url }))).rejects.toThrow('no such mailbox');
  mailer.close();
});

test('without a server there is no mailer', async () => {
  expect(await openMailer(loadConfig({}))).toBeUndefined();
});

test.each([
  ['half of the settings', { FIELDSTONE_SMTP_URL: 'smtp://mail.example.com' }, /set both/],
  [
    'another protocol',
    { FIELDSTONE_SMTP_URL: 'http://u:pw@mail.example.com', FIELDSTONE_SMTP_FROM: 'a@b' },
    /URL such as/,
  ],
])('%s is an error that shows no password', (_what, env, message) => {
  expect(() => loadConfig(env)).toThrow(message);
  expect(() => loadConfig(env)).not.toThrow('pw');
});
