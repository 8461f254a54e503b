/** The roles of a user on a site, the strongest first (contract: People, agents and paths). */
export const siteRoles = ['owner', 'editor', 'author', 'viewer'] as const;
export type SiteRole = (typeof siteRoles)[number];

/** Stands for every site in lists of sites, future ones included. */
export const everySite = '*';

/** The current roles of a user; read with every request, so that a change takes effect at once. */
export interface UserRoles {
  /** An administrator of the installation may do everything on every site. */
  administrator: boolean;
  /** By the slug of the site; the role of `*` applies to every site. */
  onSites: ReadonlyMap<string, SiteRole>;
}

/** The user on whose behalf records are written. */
export interface Writer {
  /** Recorded as the creator of new records; null if no user creates them (a webhook, the scheduler). */
  userId: string | null;
  /**
   * Whether only records that this user created may be changed, and nothing that is or becomes published (the role
   * author).
   */
  onlyOwn: boolean;
}

/** The writer if no user is involved: a webhook, the scheduler. */
export const noUser: Writer = { userId: null, onlyOwn: false };

export function isSiteRole(text: string): text is SiteRole {
  return (siteRoles as readonly string[]).includes(text);
}

/** Returns the stronger of two roles: a user may have one by membership and others by teams. */
export function strongerRole(one: SiteRole | undefined, other: SiteRole | undefined): SiteRole | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return siteRoles.indexOf(one) <= siteRoles.indexOf(other) ? one : other;
}

/** Returns the user's role on a site, which need not exist; undefined without one. */
export function roleOn({ administrator, onSites }: UserRoles, slug: string): SiteRole | undefined {
  return administrator ? 'owner' : strongerRole(onSites.get(slug), onSites.get(everySite));
}

/** Returns those sites of a list (slugs, or `*`) on which the user has a role; null for every site. */
export function sitesWithRole({ administrator, onSites }: UserRoles, list: readonly string[]): string[] | null {
  const isOnEvery = administrator || onSites.has(everySite);
  if (list.includes(everySite)) return isOnEvery ? null : [...onSites.keys()];
  return isOnEvery ? [...list] : list.filter((slug) => onSites.has(slug));
}
