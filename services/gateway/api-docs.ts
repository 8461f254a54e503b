import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { etagOf } from '../core/etag.ts';
import { raw } from '../core/reply.ts';
import type { PlainHandler } from './server.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fieldstone API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** `validatorUrl: null`: Swagger UI would otherwise send the document's URL to a service on the internet. */
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  displayOperationId: true,
  filter: true,
  validatorUrl: null,
});
`;

/** Swagger UI sets style attributes and draws its icons from data URLs; it loads nothing from other hosts. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const fromPackage = (name: string) => () =>
  readFile(path.join(path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')), name));

/**
 * Returns the handlers of `/docs`, a page that shows the OpenAPI document in a browser (contract: People, agents and
 * paths). Its files are compressed at their first request and cached in memory, less than 3 MB in total.
 */
export function createApiDocs(): PlainHandler[] {
  const files: Record<string, [type: string, read: () => Promise<Buffer>]> = {
    '/docs': ['text/html; charset=utf-8', async () => Buffer.from(page)],
    '/docs/start.js': ['text/javascript; charset=utf-8', async () => Buffer.from(start)],
    '/docs/swagger-ui.css': ['text/css; charset=utf-8', fromPackage('swagger-ui.css')],
    '/docs/swagger-ui-bundle.js': ['text/javascript; charset=utf-8', fromPackage('swagger-ui-bundle.js')],
  };
  return Object.entries(files).map(([file, [type, read]]) => {
    let loaded: Promise<{ plain: Buffer; gzipped: Buffer }> | undefined;
    const load = async () => {
      const plain = await read();
      return { plain, gzipped: await promisify(gzip)(plain) };
    };
    return {
      method: 'GET',
      path: file,
      async handle({ req }) {
        loaded ??= load();
        const { plain, gzipped } = await loaded;
        const isGzipped = new Negotiator(req).encoding(['gzip', 'identity']) === 'gzip';
        const bytes = isGzipped ? gzipped : plain;
        return raw(200, bytes, {
          'Content-Type': type,
          ETag: etagOf(bytes),
          'Content-Security-Policy': contentSecurityPolicy,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
          'Cache-Control': 'no-cache',
          Vary: 'Accept-Encoding',
          ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
        });
      },
    };
  });
}
