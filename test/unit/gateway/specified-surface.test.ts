import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../services/gateway/openapi.ts';
import { routes } from '../../../services/gateway/routes.ts';

/** The endpoint tables of the specification, in their order. */
const specified = `
GET /sites/:site/content content:read
POST /sites/:site/content content:write
GET /sites/:site/content/:id content:read
PATCH /sites/:site/content/:id content:write
DELETE /sites/:site/content/:id content:write
GET /sites/:site/content/trash content:read
POST /sites/:site/content/:id/restore content:write
DELETE /sites/:site/content/:id/purge content:write
POST /sites/:site/content/:id/fact-check content:read
GET /sites/:site/media media:read
POST /sites/:site/media media:write
DELETE /sites/:site/media/:id media:write
POST /sites/:site/media/:id/restore media:write
DELETE /sites/:site/media/:id/purge media:write
GET /sites/:site/shell/files shell:read
GET /sites/:site/shell/file/* shell:read
PUT /sites/:site/shell/file/* shell:write
DELETE /sites/:site/shell/file/* shell:write
POST /sites/:site/shell/snapshot shell:write
POST /sites/:site/shell/restore/:rev shell:write
PUT /sites/:site/components/:handle components:write
GET /sites/:site/redirects sites:read
POST /sites/:site/redirects sites:write
DELETE /sites/:site/redirects/:id sites:write
GET /sites/:site/scripts sites:read
POST /sites/:site/scripts sites:write
DELETE /sites/:site/scripts/:id sites:write
POST /sites/:site/languages translations:manage
DELETE /sites/:site/languages/:locale translations:manage
POST /sites/:site/publish publish
GET /jobs/:uuid jobs:read
GET /sites sites:read
POST /sites admin
PATCH /sites/:site sites:write
GET /sites/:site/webhooks sites:read
POST /sites/:site/webhooks sites:write
GET /sites/:site/webhooks/:id/deliveries sites:read
DELETE /sites/:site/webhooks/:id sites:write
GET /authoring-guide sites:read
GET /sites/:site/authoring-guide sites:read
`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string, string]);

/** Returns a path without the names of its parameters. */
const shapeOf = (path: string) => path.replace(/:\w+/g, ':');

describe('every row of the endpoint tables', () => {
  // rule: endpoint.2
  test.each(specified)('%s %s needs %s', (method, path, scope) => {
    const found = routes.filter((route) => route.method === method && shapeOf(route.path) === shapeOf(path));
    expect(found.map((route) => route.scope)).toEqual([scope]);
  });
});

// rule: service.7
test('backups, teams and keys have no route', () => {
  const first = routes.map(({ path }) => path.replace('/sites/:site', '').split('/')[1] ?? '');
  expect(first.filter((name) => /backup|team|user|key/.test(name))).toEqual([]);
});

// rule: service.3, limit.10
test('the version is in the prefix of the REST base alone', () => {
  const { servers } = createOpenApi(routes, { url: 'https://cms.example' });
  expect(servers).toEqual([{ url: 'https://cms.example/api/v1' }]);
  expect(routes.filter(({ path }) => /\/v\d|webhooks\/:integration/.test(path))).toEqual([]);
});
