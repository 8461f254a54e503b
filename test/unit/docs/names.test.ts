import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { routes } from '../../../services/gateway/routes.ts';
import { pages, readInline, root } from '../../harness/pages.ts';

/** Outside the REST base. */
const others = ['GET /openapi.json', 'POST /webhooks/:'];
const shapeOf = (address: string) => address.replace(/\{\w+\}|:\w+|\*/g, ':');
const known = [...routes.map(({ method, path: at }) => shapeOf(`${method} ${at}`)), ...others];

/** Whether a path in a page exists: whole, or with `…` for its beginning, which any route below a site may have. */
function isKnown(code: string): boolean {
  const [, method, address] = /^(\w+) (?:\/api\/v1)?([^?\s]+)/.exec(code)!;
  const shape = shapeOf(address!);
  if (!shape.startsWith('…')) return known.includes(`${method} ${shape}`);
  return known.some((one) => one.startsWith(`${method} `) && one.endsWith(shape.slice(1)));
}

const sources = ['services', 'workflows', 'test', 'scripts', 'charts', 'k8s'];
const files = new Set(
  sources.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.basename(name)),
  ),
);

describe.each(pages)('%s names', (page) => {
  const { code } = readInline(page);

  test('only operations of the API that there are', () => {
    const named = code
      .map((one) => one.replace(/https?:\/\/localhost:\d+/, ''))
      .filter((one) => /^(?:GET|POST|PUT|PATCH|DELETE) (?:\/|…)/.test(one));
    expect(named.filter((one) => !isKnown(one))).toEqual([]);
  });

  test('only source files that there are', () => {
    const named = code.filter((one) => /^[\w-]+\.(?:ts|tsx|sh|yaml|tpl)$/.test(one));
    expect(named.filter((one) => !files.has(one))).toEqual([]);
  });
});
