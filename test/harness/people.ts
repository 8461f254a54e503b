import { randomUUID } from 'node:crypto';
import type { SiteRole } from '../../services/core/roles.ts';
import { createUser, setAdministrator, setSiteRole } from '../../services/features/users/index.ts';
import { makeKey, stackDatabase } from './api.ts';

/** A user of the stack. */
export interface TestUser {
  id: string;
  email: string;
  /** A key with every scope on every site, unless said otherwise: what it may do is then up to the user's roles. */
  makeKey(scopes?: string[], sites?: string[]): Promise<string>;
  setRole(site: string, role: SiteRole): Promise<void>;
}

/** A user to whom no role was given yet, or an administrator. */
export async function makeUser({ administrator = false } = {}): Promise<TestUser> {
  const db = stackDatabase();
  const email = `u-${randomUUID()}@example.com`;
  const { id } = await createUser(db, email);
  if (administrator) await db.transaction((tx) => setAdministrator(tx, email, true));
  return {
    id,
    email,
    makeKey: (scopes = ['admin'], sites = ['*']) => makeKey(scopes, sites, email),
    setRole: (site, role) => db.transaction((tx) => setSiteRole(tx, email, site, role)),
  };
}

/** A user with one role on one site. */
export async function makeMember(site: string, role: SiteRole): Promise<TestUser> {
  const user = await makeUser();
  await user.setRole(site, role);
  return user;
}
