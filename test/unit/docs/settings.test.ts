import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { pages, readInline, root } from '../../harness/pages.ts';

const isSetting = (name: string) =>
  /^(?:FIELDSTONE|DATABASE|TEMPORAL|S3|BACKUP_S3|FALLBACK_S3|OTEL)_[A-Z0-9_]+$/.test(name);

/** Returns every variable that the service reads, by passing it an environment that records reads. */
function readSettings(): Set<string> {
  const asked = new Set<string>();
  const remember = (_target: object, name: string | symbol) => {
    if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') return 'http://collector:4318';
    if (typeof name === 'string' && !name.endsWith('_FILE')) asked.add(name);
    return undefined;
  };
  loadConfig(new Proxy({}, { get: remember }) as Record<string, string | undefined>);
  asked.add('OTEL_EXPORTER_OTLP_ENDPOINT');
  return new Set([...asked].filter((name) => !name.startsWith('FIELDSTONE_TEST_')));
}

const settings = readSettings();
/** Read elsewhere: engines' programs are looked for before settings are loaded, and the tracing library has its own. */
const elsewhere = ['FIELDSTONE_CACHE', 'OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'];
/** Settings of the tests, not of the service. */
const ofTests = [
  'FIELDSTONE_TEST_STACK',
  'FIELDSTONE_TEST_STACK_ENGINES',
  'FIELDSTONE_TEST_RUN',
  'FIELDSTONE_TEST_AGAIN',
  'FIELDSTONE_TEST_LONG',
];

test('docs/settings.md and docs/observability.md name every setting that is read', () => {
  const told = new Set(['docs/settings.md', 'docs/observability.md'].flatMap((page) => namesIn(page)));
  expect([...settings].filter((name) => !told.has(name))).toEqual([]);
});

test.each(pages)('%s names no setting that nobody reads', (page) => {
  const known = new Set([...settings, ...elsewhere, ...ofTests]);
  expect(namesIn(page).filter((name) => !known.has(name.replace(/_FILE$/, '')))).toEqual([]);
});

function namesIn(page: string): string[] {
  const inline = readInline(page).code.map((code) => code.split('=')[0]!);
  return [...new Set(inline.filter(isSetting))];
}

const rows = [
  ...readFileSync(path.join(root, 'docs/settings.md'), 'utf8').matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm),
].flatMap(([, names, given]) =>
  [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name: name!, given: /^`(.+)`$/.exec(given!)?.[1] })),
);

test.each(rows.filter(({ given }) => given !== undefined))('$name is $given where it is not set', ({ name, given }) => {
  expect(loadConfig({ [name]: given })).toEqual(loadConfig({}));
});
