// The endpoints of the specification's tables and of the contract's `Beyond the specification`.
export interface Route {
  method: string;
  path: string;
  scope: string;
  /** A body that passes validation, `none` where a body means nothing, `raw` where any bytes do. */
  body?: unknown;
  list?: boolean;
  beyond?: boolean;
}

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

export const routes: Route[] = [
  { method: 'GET', path: '/sites/{site}/content', scope: 'content:read', list: true },
  { method: 'POST', path: '/sites/{site}/content', scope: 'content:write', body: { title: 'T' } },
  { method: 'GET', path: '/sites/{site}/content/{id}', scope: 'content:read' },
  { method: 'PATCH', path: '/sites/{site}/content/{id}', scope: 'content:write', body: { title: 'T' } },
  { method: 'DELETE', path: '/sites/{site}/content/{id}', scope: 'content:write' },
  { method: 'GET', path: '/sites/{site}/content/trash', scope: 'content:read', list: true },
  { method: 'POST', path: '/sites/{site}/content/{id}/restore', scope: 'content:write', body: 'none' },
  { method: 'DELETE', path: '/sites/{site}/content/{id}/purge', scope: 'content:write' },
  { method: 'POST', path: '/sites/{site}/content/{id}/fact-check', scope: 'content:read', body: 'none' },
  { method: 'GET', path: '/sites/{site}/media', scope: 'media:read', list: true },
  { method: 'POST', path: '/sites/{site}/media', scope: 'media:write', body: { url: 'http://127.0.0.1:1/x' } },
  { method: 'DELETE', path: '/sites/{site}/media/{id}', scope: 'media:write' },
  { method: 'POST', path: '/sites/{site}/media/{id}/restore', scope: 'media:write', body: 'none' },
  { method: 'DELETE', path: '/sites/{site}/media/{id}/purge', scope: 'media:write' },
  { method: 'GET', path: '/sites/{site}/media/{id}', scope: 'media:read', beyond: true },
  { method: 'PATCH', path: '/sites/{site}/media/{id}', scope: 'media:write', body: { alt: 'A' }, beyond: true },
  { method: 'GET', path: '/sites/{site}/media/trash', scope: 'media:read', list: true, beyond: true },
  { method: 'GET', path: '/sites/{site}/shell/files', scope: 'shell:read', list: true },
  { method: 'GET', path: '/sites/{site}/shell/file/{path}', scope: 'shell:read' },
  { method: 'PUT', path: '/sites/{site}/shell/file/{path}', scope: 'shell:write', body: 'raw' },
  { method: 'DELETE', path: '/sites/{site}/shell/file/{path}', scope: 'shell:write' },
  { method: 'POST', path: '/sites/{site}/shell/snapshot', scope: 'shell:write', body: 'none' },
  { method: 'POST', path: '/sites/{site}/shell/restore/{rev}', scope: 'shell:write', body: 'none' },
  {
    method: 'PUT',
    path: '/sites/{site}/components/{handle}',
    scope: 'components:write',
    body: { type: 'html', source_code: '<p>a</p>' },
  },
  { method: 'GET', path: '/sites/{site}/redirects', scope: 'sites:read', list: true },
  { method: 'POST', path: '/sites/{site}/redirects', scope: 'sites:write', body: { from: '/a', to: '/b' } },
  { method: 'DELETE', path: '/sites/{site}/redirects/{id}', scope: 'sites:write' },
  { method: 'GET', path: '/sites/{site}/scripts', scope: 'sites:read', list: true },
  { method: 'POST', path: '/sites/{site}/scripts', scope: 'sites:write', body: { name: 's', code: '1' } },
  { method: 'DELETE', path: '/sites/{site}/scripts/{id}', scope: 'sites:write' },
  { method: 'POST', path: '/sites/{site}/languages', scope: 'translations:manage', body: { locale: 'de' } },
  { method: 'DELETE', path: '/sites/{site}/languages/{locale}', scope: 'translations:manage' },
  { method: 'POST', path: '/sites/{site}/publish', scope: 'publish', body: 'none' },
  { method: 'GET', path: '/jobs/{uuid}', scope: 'jobs:read' },
  { method: 'GET', path: '/sites', scope: 'sites:read', list: true },
  { method: 'POST', path: '/sites', scope: 'admin', body: { name: 'N' } },
  { method: 'PATCH', path: '/sites/{site}', scope: 'sites:write', body: { name: 'N' } },
  { method: 'GET', path: '/sites/{site}/webhooks', scope: 'sites:read', list: true },
  { method: 'POST', path: '/sites/{site}/webhooks', scope: 'sites:write', body: { mapper: 'autoseo' } },
  { method: 'GET', path: '/sites/{site}/webhooks/{id}/deliveries', scope: 'sites:read', list: true },
  { method: 'DELETE', path: '/sites/{site}/webhooks/{id}', scope: 'sites:write' },
  { method: 'GET', path: '/authoring-guide', scope: 'sites:read' },
  { method: 'GET', path: '/sites/{site}/authoring-guide', scope: 'sites:read' },
  { method: 'GET', path: '/sites/{site}', scope: 'sites:read', beyond: true },
  { method: 'DELETE', path: '/sites/{site}', scope: 'admin', beyond: true },
  {
    method: 'PUT',
    path: '/sites/{site}/content/by-ref/{source_ref}',
    scope: 'content:write',
    body: { title: 'T' },
    beyond: true,
  },
  {
    method: 'POST',
    path: '/sites/{site}/content/batch',
    scope: 'content:write',
    body: { items: [{ title: 'T' }] },
    beyond: true,
  },
  { method: 'GET', path: '/sites/{site}/components', scope: 'components:write', list: true, beyond: true },
  { method: 'GET', path: '/sites/{site}/components/{handle}', scope: 'components:write', beyond: true },
  { method: 'DELETE', path: '/sites/{site}/components/{handle}', scope: 'components:write', beyond: true },
  { method: 'GET', path: '/sites/{site}/shell/snapshots', scope: 'shell:read', list: true, beyond: true },
  { method: 'GET', path: '/sites/{site}/shell/preview', scope: 'shell:read', beyond: true },
  { method: 'GET', path: '/sites/{site}/languages', scope: 'sites:read', list: true, beyond: true },
  { method: 'PATCH', path: '/sites/{site}/redirects/{id}', scope: 'sites:write', body: { to: '/c' }, beyond: true },
  { method: 'PATCH', path: '/sites/{site}/scripts/{id}', scope: 'sites:write', body: { name: 'N' }, beyond: true },
  { method: 'PATCH', path: '/sites/{site}/webhooks/{id}', scope: 'sites:write', body: { name: 'N' }, beyond: true },
  { method: 'POST', path: '/sites/{site}/webhooks/{id}/rotate', scope: 'sites:write', body: 'none', beyond: true },
  {
    method: 'POST',
    path: '/sites/{site}/webhooks/{id}/deliveries/{delivery}/replay',
    scope: 'sites:write',
    body: 'none',
    beyond: true,
  },
  { method: 'GET', path: '/sites/{site}/webhooks/{id}/deliveries/{delivery}', scope: 'sites:read', beyond: true },
  { method: 'GET', path: '/sites/{site}/jobs', scope: 'jobs:read', list: true, beyond: true },
  { method: 'GET', path: '/sites/{site}/releases', scope: 'publish', list: true, beyond: true },
  { method: 'POST', path: '/sites/{site}/releases/{release}/rollback', scope: 'publish', body: 'none', beyond: true },
];

const values: Record<string, string> = {
  id,
  uuid: id,
  path: 'nothing/here.css',
  rev: 'nosuchrev',
  handle: 'nosuchhandle',
  locale: 'fr',
  source_ref: 'nosuchref',
  delivery: id,
  release: id,
};

/** A concrete path: unknown records of the given site unless said otherwise. */
export const concrete = (path: string, site: string, more: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'site' ? site : (more[name] ?? values[name]!)));
