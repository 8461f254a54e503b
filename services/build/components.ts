import { type ClientScript, clientModule, clientRuntime } from '../engines/components/client-runtime.ts';
import type { CompiledComponent } from '../engines/components/compiled.ts';
import type { ObjectStore } from '../engines/objects/store.ts';
import { type ScriptSources, templateScripts } from './csp.ts';
import { rewriteCss } from './css.ts';
import { assetsPrefix } from './manifest.ts';
import type { ComponentInput } from './model.ts';
import type { ComponentParts } from './page-parts.ts';

/** A file that the build makes. */
export interface ScriptFile {
  path: string;
  hash: string;
  data: Buffer;
}

/** What a page needs beside the markup of a component that it shows. */
export interface PageComponent {
  /** Its style sheet, with the public paths of the shell's files. */
  css: string | null;
  /** What wakes it in the browser. */
  script: ScriptFile | null;
  /** Scripts in its template: a page that shows it may run them. */
  sources: ScriptSources;
}

export interface SiteComponents {
  /** Compiled components as JSON, by handle. */
  compiled: Record<string, string>;
  pages: ReadonlyMap<string, PageComponent>;
  /** What all scripts import; null when no component has one. */
  runtime: ScriptFile | null;
}

export const scriptType = 'text/javascript; charset=utf-8';

function scriptFile(name: string, { data, hash }: ClientScript): ScriptFile {
  return { path: `${assetsPrefix}${name}.${hash.slice(0, 8)}.js`, hash, data };
}

function readScript(handle: string, client: string, runtime: ScriptFile): ScriptFile {
  const runtimeUrl = `../${runtime.path.slice(assetsPrefix.length)}`;
  return scriptFile(`components/${handle}`, clientModule(handle, client, runtimeUrl));
}

/** Reads the compiled components of a site and makes the scripts of those that live in the browser. */
export async function loadComponents(
  inputs: readonly ComponentInput[],
  objects: Pick<ObjectStore, 'getBytes'>,
  assetPaths: ReadonlyMap<string, string>,
): Promise<SiteComponents> {
  const texts = await Promise.all(
    inputs.map(
      async ({ handle, compiled_hash }) => [handle, (await objects.getBytes(compiled_hash)).toString('utf8')] as const,
    ),
  );
  const parsed = texts.map(([handle, text]) => [handle, JSON.parse(text) as CompiledComponent] as const);
  const isLive = parsed.some(([, { client }]) => client !== null);
  const runtime = isLive ? scriptFile('react', await clientRuntime()) : null;
  const toPage = ({ type, code, css, client }: CompiledComponent, handle: string): PageComponent => ({
    css: css && rewriteCss(css, '', (target) => assetPaths.get(target) ?? null),
    script: client === null || !runtime ? null : readScript(handle, client, runtime),
    sources: type === 'html' ? templateScripts(code) : { inline: [], external: [] },
  });
  return {
    compiled: Object.fromEntries(texts),
    pages: new Map(parsed.map(([handle, compiled]) => [handle, toPage(compiled, handle)])),
    runtime,
  };
}

/** The scripts of these components, with what they share. */
export function scriptFiles({ pages, runtime }: SiteComponents, handles: ReadonlySet<string>): ScriptFile[] {
  const own = [...handles].flatMap((handle) => pages.get(handle)?.script ?? []);
  return own.length > 0 && runtime ? [runtime, ...own] : [];
}

/** What pages get of each component beside its markup; when it changes, they do. */
export function componentFiles({ pages }: SiteComponents): Map<string, unknown> {
  return new Map([...pages].map(([handle, { css, script }]) => [handle, [css, script?.path]]));
}

/** The same as plain data, with the address of what all scripts import. */
export function componentParts({ pages, runtime }: SiteComponents): ComponentParts {
  const parts = [...pages].map(([handle, { css, script }]) => [handle, { css, script: script?.path ?? null }] as const);
  return { parts: Object.fromEntries(parts), runtime: runtime?.path ?? null };
}

/** Scripts in the templates of these components. */
export function componentSources({ pages }: SiteComponents, handles: readonly string[]): ScriptSources {
  const sources = handles.flatMap((handle) => pages.get(handle)?.sources ?? []);
  return {
    inline: sources.flatMap(({ inline }) => inline),
    external: sources.flatMap(({ external }) => external),
  };
}
