import type { Config } from '../../core/config.ts';

/** A mail of plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Hands a mail to the SMTP server. Throws what the server or the connection says. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeoutMs = 15_000;

/** Sends over the server of FIELDSTONE_SMTP_URL; undefined where it is not set. */
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
      // as one address, not as text, in which a comma would separate two
      const recipient = { name: '', address: to };
      await transport.sendMail({ ...mail, to: recipient, headers: { 'Auto-Submitted': 'auto-generated' } });
    },
    close: () => transport.close(),
  };
}
