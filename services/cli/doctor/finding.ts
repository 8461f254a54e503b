import { explainTls, type TlsSubject } from '../../engines/tls.ts';

/** The result of one check. A note is informational; only a bad finding must be fixed. */
export interface Finding {
  check: string;
  ok: boolean;
  level: 'ok' | 'note' | 'bad';
  /** The finding, and how to fix it. */
  message: string;
}

export const good = (check: string, message: string): Finding => ({ check, ok: true, level: 'ok', message });
export const note = (check: string, message: string): Finding => ({ check, ok: true, level: 'note', message });
export const bad = (check: string, message: string): Finding => ({ check, ok: false, level: 'bad', message });

const deadlineMs = 15_000;

/**
 * Runs a check and never rejects: an error or a timeout is a bad finding: `${subject}: ${reason}. ${remedy}`, or the
 * sentence about certificates if they are the cause.
 */
export async function examine(
  check: string,
  { subject, remedy, tls }: { subject: string; remedy: string; tls?: TlsSubject },
  run: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${deadlineMs / 1000} seconds`)), deadlineMs);
  });
  try {
    return [await Promise.race([run(), deadline])].flat();
  } catch (error) {
    const misfit = tls && explainTls(error, tls);
    return [bad(check, misfit?.message ?? `${subject}: ${explain(error)}. ${remedy}`)];
  } finally {
    clearTimeout(timer);
  }
}

const meanings: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'no network route leads to it',
  ECONNRESET: 'it closes the connection',
  FS_POOL_TIMEOUT: 'it does not respond',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user or the certificate',
  '3D000': 'it has no such database',
  '42P01': 'its tables are missing',
  '53300': 'it has no connection left',
  AccessDenied: 'it refuses the keys, or denies them this right',
  InvalidAccessKeyId: 'it does not know the access key',
  SignatureDoesNotMatch: 'it refuses the secret key',
  NoSuchBucket: 'the bucket does not exist',
};

/** Returns the innermost cause that says more than "unavailable", as part of a sentence. */
export function explain(error: unknown): string {
  let message = error instanceof Error ? error.message : String(error);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string' && meanings[code]) return `${meanings[code]} (${code})`;
    if (cause.message) message = cause.message;
    // several IP addresses of one name were tried
    if (cause instanceof AggregateError && cause.errors.length > 0) return explain(cause.errors[0]);
  }
  return message
    .replaceAll(/\s+/g, ' ')
    .replace(/[.\s]+$/, '')
    .trim();
}
