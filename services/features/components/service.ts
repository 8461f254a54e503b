import type { z } from 'zod';
import type { Db } from '../../core/db.ts';
import { invalid, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { siteUrl } from '../../core/public-paths.ts';
import { CompileError, type CompileFault, type ComponentWarning } from '../../engines/components/compiled.ts';
import { hashBytes } from '../../engines/objects/store.ts';
import type { App } from '../app.ts';
import { type ComponentRequest, handlePattern, type triedComponent } from './schema.ts';
import { type ComponentRow, type NewComponent, selectComponent, upsertComponentRow } from './sql.ts';

/** A component that compiles and whose bytes are in the object store; only its row is missing. */
export interface PreparedComponent {
  component: NewComponent;
  warnings: ComponentWarning[];
}

/** Returns a valid handle. Throws `validation_failed`. */
function requireHandle(handle: string): string {
  if (handlePattern.test(handle)) return handle;
  const message =
    'must be 1 to 120 lower-case letters, digits, hyphens and underscores, and begin with a letter or digit';
  throw invalid([{ path: 'handle', message }]);
}

function describe({ message, line, column, frame }: CompileFault): string {
  const place = line > 0 ? `line ${line}${column > 0 ? `, column ${column}` : ''}: ` : '';
  return `${place}${message}${frame === '' ? '' : `\n${frame}`}`;
}

function compileProblem({ faults }: CompileError) {
  const details = faults.map((fault) => ({ path: fault.member, message: describe(fault) }));
  const [first] = faults;
  if (first?.member === 'variables_schema') return invalid(details);
  return problem('compile_failed', `The component does not compile: ${details[0]?.message}`, { details });
}

/**
 * Compiles a component and stores its bytes, before the transaction. The queue for compilations is fair between the
 * `key`s. Throws `compile_failed` and `validation_failed` (spec: Case rules, 2), and `unavailable` when too many wait.
 */
export async function prepareComponent(
  { components, objects }: Pick<App, 'components' | 'objects'>,
  key: string,
  handle: string,
  { type, source_code, css = null, variables_schema = null }: ComponentRequest,
): Promise<PreparedComponent> {
  const source = { handle: requireHandle(handle), type, source_code, css, variables_schema };
  const { compiled, warnings } = await components.compile(key, source).catch((error: unknown) => {
    throw error instanceof CompileError ? compileProblem(error) : error;
  });
  const [stored, made] = await objects.putMany([Buffer.from(source_code), Buffer.from(JSON.stringify(compiled))]);
  const hashes = { source_hash: stored!.hash, compiled_hash: made!.hash, sha256: hashBytes(source_code) };
  return { component: { handle, type, css, variables_schema, ...hashes }, warnings };
}

type Tried = z.output<typeof triedComponent>;

/**
 * Compiles and renders a component with these variables, on its own and without storing it. `key` is as for `prepareComponent`, which
 * throws the same errors.
 */
export async function tryComponent(
  { components, config }: Pick<App, 'components' | 'config'>,
  key: string,
  site: Site,
  handle: string,
  {
    vars,
    css = null,
    variables_schema = null,
    type,
    source_code,
  }: ComponentRequest & { vars: Record<string, unknown> },
): Promise<Tried> {
  const source = { handle: requireHandle(handle), type, source_code, css, variables_schema };
  const { name, default_locale: locale, settings } = site;
  const locales = site.locales.map((language) => language.locale);
  const shown = { name, url: siteUrl(site, config), locale, default_locale: locale, locales, settings };
  const tried = await components.try(key, source, { vars, site: shown }).catch((error: unknown) => {
    throw error instanceof CompileError ? compileProblem(error) : error;
  });
  const { markup, fault: error, compiled, warnings } = tried;
  const html = markup === null ? null : `<x-component data-component="${handle}">${markup}</x-component>`;
  return { html, css: compiled.css, error, warnings };
}

/** Creates or replaces a component, in the caller's transaction. Pages show it after the next publish. */
export async function storeComponent(
  db: Db,
  objects: App['objects'],
  siteId: string,
  { component }: PreparedComponent,
): Promise<{ row: ComponentRow; isNew: boolean }> {
  await objects.pin(db, [component.source_hash, component.compiled_hash]);
  const before = await selectComponent(db, siteId, component.handle);
  return { row: await upsertComponentRow(db, siteId, component), isNew: !before };
}
