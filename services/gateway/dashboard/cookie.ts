import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../../core/config.ts';

const lifetimeSeconds = 30 * 24 * 60 * 60;

/** The cookie that holds the token of a session. */
export interface SessionCookie {
  /** Returns the token of a `Cookie` header, or undefined. */
  read(header: string | undefined): string | undefined;
  /** Returns the `Set-Cookie` value for a new session. */
  set(token: string): string;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  clear(): string;
}

/**
 * Creates the session cookie. With HTTPS it is a `__Host-` cookie, which no other host can set, and `Lax`, so that a
 * user who follows a link in a mail is signed in. Browsers do not accept this with HTTP on loopback: there it is
 * `Strict`, and its name contains the port, because cookies ignore ports.
 */
export function createSessionCookie({ url }: Pick<Config, 'url'>): SessionCookie {
  const { protocol, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const name = isSecure ? '__Host-fieldstone_session' : `fieldstone_session_${port || 80}`;
  const attributes: Omit<SetCookie, 'name' | 'value'> = isSecure
    ? { path: '/', httpOnly: true, secure: true, sameSite: 'lax' }
    : { path: '/dashboard', httpOnly: true, sameSite: 'strict' };
  return {
    read: (header) => (header === undefined ? undefined : parseCookie(header)[name]),
    set: (token) => stringifySetCookie({ name, value: token, ...attributes, maxAge: lifetimeSeconds }),
    clear: () => stringifySetCookie({ name, value: '', ...attributes, maxAge: 0 }),
  };
}
