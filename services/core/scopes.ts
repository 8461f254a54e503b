/** All scopes, shared by keys and OAuth grants (spec: Authentication, rule 7). */
export const scopes = {
  'sites:read': 'see sites and their settings',
  'sites:write': 'change site settings, redirects, scripts, webhooks',
  'content:read': 'read posts and pages',
  'content:write': 'create and edit posts and pages',
  'media:read': 'view the media library',
  'media:write': 'upload images, video and files',
  'components:write': 'create and update components',
  'shell:read': 'read templates and theme',
  'shell:write': 'edit templates and theme',
  'translations:manage': 'manage locales and translations',
  publish: 'build and publish',
  'jobs:read': 'read build and job status',
  'backup:read': 'list and verify backups',
  'backup:run': 'run backups',
  'backup:restore': 'restore backups',
  admin: 'everything',
} as const;

export type Scope = keyof typeof scopes;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/**
 * Returns whether the held scopes grant the needed one. Only `admin` implies other scopes; there is no read/write
 * hierarchy (spec: Authentication, rule 6).
 */
export function grants(held: readonly string[], needed: Scope): boolean {
  return held.includes(needed) || held.includes('admin');
}

/** Returns whether a key's site list contains the site; `*` stands for every one (spec: Authentication, rule 4). */
export function allowsSite(sites: readonly string[], slug: string): boolean {
  return sites.includes('*') || sites.includes(slug);
}
