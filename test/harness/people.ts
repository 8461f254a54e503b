import { randomUUID } from 'node:crypto';
import type { SiteRole } from '../../services/core/roles.ts';
import { createUser, setAdministrator, setSiteRole } from '../../services/features/users/index.ts';
import { makeKey, stackDatabase } from './api.ts';

/** A user of the stack. */
export interface TestUser {
  id: string;
  email: string;
  /** Creates a key, by default with every scope on every site, so that only the user's roles limit it. */
  makeKey(scopes?: string[], sites?: string[]): Promise<string>;
  setRole(site: string, role: SiteRole): Promise<void>;
}

/** Creates a user without any role, or an administrator. */
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

/** Creates a user with one role on one site. */
export async function makeMember(site: string, role: SiteRole): Promise<TestUser> {
  const user = await makeUser();
  await user.setRole(site, role);
  return user;
}
