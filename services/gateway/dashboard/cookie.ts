import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../../core/config.ts';

const lifetimeSeconds = 30 * 24 * 60 * 60;

/** The cookie that holds the token of a session. */
export interface SessionCookie {
  /** The token that a request holds; undefined without one. */
  read(header: string | undefined): string | undefined;
  /** `Set-Cookie` for a new session. */
  set(token: string): string;
  /** `Set-Cookie` that removes it. */
  clear(): string;
}

/**
 * Under HTTPS a `__Host-` cookie, which no other host can set; `Lax`, so that a link in a mail finds its reader signed in. On loopback
 * HTTP browsers accept no such cookie: it is `Strict` there and named after the port, since cookies ignore ports.
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
