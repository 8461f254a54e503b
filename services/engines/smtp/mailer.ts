import type { Config } from '../../core/config.ts';

/** A mail of plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Sends a mail to the SMTP server. Throws the error of the server or the connection. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeoutMs = 15_000;

/** Returns the mailer for the server of FIELDSTONE_SMTP_URL; undefined if it is not set. */
export async function openMailer({
  smtpUrl,
  smtpFrom,
}: Pick<Config, 'smtpUrl' | 'smtpFrom'>): Promise<Mailer | undefined> {
  if (smtpUrl === undefined) return undefined;
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: smtpUrl, ...timeouts }, { from: smtpFrom! });
  return {
    async send({ to, ...mail }) {
      // an object, because a comma in a string would separate two addresses
      const recipient = { name: '', address: to };
      await transport.sendMail({ ...mail, to: recipient, headers: { 'Auto-Submitted': 'auto-generated' } });
    },
    close: () => transport.close(),
  };
}
