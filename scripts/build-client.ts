// `npm run build:client`: generates the typed client's types from the OpenAPI document, and the JavaScript that a package needs:
// services/client/types.ts, operations.ts and lib/. They are not committed; `npm pack`, the step `types` and the test of the client
// run this script.

import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { compile } from 'json-schema-to-typescript';
import { createOpenApi } from '../services/gateway/openapi.ts';
import { routes } from '../services/gateway/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;

const root = path.join(import.meta.dirname, '..');
const clientFolder = path.join(root, 'services', 'client');
const banner = '// Made by scripts/build-client.ts from the OpenAPI document. Do not edit.';

const objectOf = (properties: Record<string, Json>, required: string[]): Json => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

/** Returns the record of a response without `fields`. A caller that omits members knows which. */
const wholeRecord = (data: Json): Json => data?.anyOf?.[0] ?? data;

/** Describes input and response of one operation, as a schema that refers to the document's schemas. */
function describeOperation(document: Json, operation: Json): Json {
  const parameters: Json[] = operation.parameters.map((entry: Json) =>
    entry.$ref ? document.components.parameters[entry.$ref.split('/').pop()] : entry,
  );
  const pick = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const shape = (place: string) =>
    objectOf(
      Object.fromEntries(
        pick(place).map(({ name, schema }) => [name, place === 'query' ? { type: ['string', 'number'] } : schema]),
      ),
      pick(place)
        .filter(({ required }) => required)
        .map(({ name }) => name),
    );
  const success = operation.responses['200'] ?? operation.responses['201'] ?? operation.responses['202'];
  const envelope = success?.content?.['application/json']?.schema.properties;
  const body = operation.requestBody?.content['application/json']?.schema;
  const members: Record<string, Json> = {
    path: shape('path'),
    query: shape('query'),
    body: operation.requestBody?.required && body ? body : { type: 'null' },
    data: wholeRecord(envelope?.data.items ?? envelope?.data) ??
      success?.content?.['text/plain']?.schema ?? { type: 'null' },
  };
  return objectOf(members, Object.keys(members));
}

async function generateTypes(): Promise<string> {
  const document: Json = createOpenApi(routes, { url: '' });
  const operations: Record<string, Json> = {};
  for (const methods of Object.values<Json>(document.paths)) {
    for (const operation of Object.values<Json>(methods))
      operations[operation.operationId] = describeOperation(document, operation);
  }
  const schema = {
    title: 'Operations',
    ...objectOf(operations, Object.keys(operations)),
    $defs: document.components.schemas,
  };
  const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/'));
  return compile(located, 'Operations', {
    bannerComment: banner,
    additionalProperties: false,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120 },
  });
}

/** Generates method and path of every operation, for the client. */
function generateTable(): string {
  const document: Json = createOpenApi(routes, { url: '' });
  const lines = Object.entries<Json>(document.paths).flatMap(([route, methods]) =>
    Object.entries<Json>(methods).map(
      ([method, { operationId }]) => `  ${operationId}: ['${method.toUpperCase()}', '${route}'],`,
    ),
  );
  return `${banner}\n\n/** Method and path of every operation. */\nexport const operations = {\n${lines.join('\n')}\n} as const;\n`;
}

/** Writes a file atomically, so that a concurrent reader gets either version. */
function write(name: string, text: string): void {
  const file = path.join(clientFolder, name);
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

/** Compiles the package's JavaScript and declarations from the sources in `services/client`. */
async function buildLibrary(): Promise<void> {
  const entry = path.join(clientFolder, 'index.ts');
  const lib = path.join(clientFolder, 'lib');
  mkdirSync(lib, { recursive: true });
  const options = { bundle: true, format: 'esm', target: 'es2022', write: false, banner: { js: banner } } as const;
  const bundle = await build({ entryPoints: [entry], ...options });
  write('lib/index.js', bundle.outputFiles[0]!.text);
  const emit = ['--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions', '--outDir', lib];
  const language = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2024,dom,dom.iterable',
    '--types',
    'node',
  ];
  const tsc = spawnSync(
    path.join(root, 'node_modules', '.bin', 'tsc'),
    ['--ignoreConfig', '--strict', '--allowImportingTsExtensions', ...language, ...emit, entry],
    { cwd: root, encoding: 'utf8' },
  );
  if (tsc.status !== 0) throw new Error(`tsc: ${tsc.stdout}${tsc.stderr}`);
}

write('types.ts', await generateTypes());
write('operations.ts', generateTable());
await buildLibrary();
