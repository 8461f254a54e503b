/** The public interface of people: sign-in, links and invitations. */
export { deleteExpiredAccess } from './expired.ts';
export { invite } from './invitations.ts';
export { createLink, type Link } from './links.ts';
export { composeMail, sendDueMails } from './mails.ts';
export { readSession } from './session.ts';
export { createToken, hashToken } from './tokens.ts';
export { rekeyTotp, removeTotp } from './totp.ts';
