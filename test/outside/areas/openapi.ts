import type { Report } from '../report.ts';
import { routes } from '../routes.ts';
import { type Any, call, makeSite } from '../world.ts';

/** The served document against the specification's tables. */
export async function check(t: Report): Promise<void> {
  const reply = await call('GET', '//openapi.json');
  t.replies('no key is needed', reply, 200);
  const document = reply.json;
  t.ok('OpenAPI 3.1', /^3\.1/.test(document.openapi), document.openapi);
  const shape = (path: string) => path.replace(/\{\w+\}/g, '{}');
  const served = new Map<string, Any>();
  for (const [path, item] of Object.entries(document.paths as Record<string, Any>))
    for (const [method, operation] of Object.entries(item as Record<string, Any>))
      if (operation.responses) served.set(`${method.toUpperCase()} ${shape(path.replace('/api/v1', ''))}`, operation);
  for (const { method, path, scope, body, list } of routes) {
    const operation = served.get(`${method} ${shape(path)}`);
    if (!t.ok(`${method} ${path} is in the document`, operation)) continue;
    t.is(`${method} ${path}: scope`, operation['x-scope'], scope);
    const codes = Object.keys(operation.responses);
    for (const code of ['401', '403', '429']) t.ok(`${method} ${path}: ${code}`, codes.includes(code), codes);
    if (path.includes('{')) t.ok(`${method} ${path}: 404`, codes.includes('404'), codes);
    if (body !== undefined) t.ok(`${method} ${path}: 413`, codes.includes('413'), codes);
    if (typeof body === 'object')
      t.ok(
        `${method} ${path}: 415, 422, a request body`,
        codes.includes('415') && codes.includes('422') && operation.requestBody,
        codes,
      );
    if (method === 'POST')
      t.ok(
        `${method} ${path}: 409 and Idempotency-Key`,
        codes.includes('409') && JSON.stringify(operation.parameters ?? []).includes('Idempotency'),
        codes,
      );
    if (list)
      t.ok(
        `${method} ${path}: page, per_page`,
        /page/i.test(JSON.stringify(operation.parameters)) && /per_?page/i.test(JSON.stringify(operation.parameters)),
        operation.parameters,
      );
  }
  for (const [name, operation] of served)
    t.ok(`${name} declares a scope`, /^[a-z]+(:[a-z]+)?$/.test(operation['x-scope']), operation['x-scope']);
  const references: string[] = [];
  const walk = (value: Any): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === 'object')
      for (const [name, member] of Object.entries(value)) {
        if (name === '$ref' && typeof member === 'string') references.push(member);
        else walk(member);
      }
  };
  walk(document);
  for (const reference of new Set(references)) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce((at: Any, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    t.ok(`${reference} leads somewhere`, target !== undefined);
  }
  t.ok(
    'the key header is described',
    JSON.stringify(document.components.securitySchemes).includes('X-API-Key'),
    document.components.securitySchemes,
  );
  const site = await makeSite();
  for (const target of ['/authoring-guide', `/sites/${site.slug}/authoring-guide`]) {
    const guide = await call('GET', target, { key: site.key });
    t.replies(target, guide, 200);
    for (const word of ['media:', 'x-component', 'base.twig', 'posts', 'asset', 'hreflang'].slice(0, 5))
      t.ok(`${target} tells of ${word}`, guide.text.includes(word));
  }
  await site.call('POST', '/languages', { locale: 'de' });
  const own = await site.call('GET', '/authoring-guide');
  t.ok(
    'the site’s locales',
    own.data.site.locales.some((one: Any) => one.locale === 'de'),
    own.data.site,
  );
}
