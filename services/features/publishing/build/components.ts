import { type ClientScript, clientModule, clientRuntime } from '../../../engines/components/client-runtime.ts';
import type { CompiledComponent } from '../../../engines/components/compiled.ts';
import type { ObjectStore } from '../../../engines/objects/store.ts';
import { assetsPrefix } from '../manifest.ts';
import { type ScriptSources, templateScripts } from './csp.ts';
import type { ComponentInput } from './model.ts';

/** A file that the build makes. */
export interface ScriptFile {
  path: string;
  hash: string;
  data: Buffer;
}

/** What a page needs beside the markup of a component that it shows. */
export interface PageComponent {
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

function readComponent(handle: string, compiled: CompiledComponent, runtime: ScriptFile | null): PageComponent {
  const { type, code, css, client } = compiled;
  return {
    css,
    script:
      client === null || !runtime
        ? null
        : scriptFile(
            `components/${handle}`,
            clientModule(handle, client, `../${runtime.path.slice(assetsPrefix.length)}`),
          ),
    sources: type === 'html' ? templateScripts(code) : { inline: [], external: [] },
  };
}

/** Reads the compiled components of a site and makes the scripts of those that live in the browser. */
export async function loadComponents(
  inputs: readonly ComponentInput[],
  objects: Pick<ObjectStore, 'getBytes'>,
): Promise<SiteComponents> {
  const texts = await Promise.all(
    inputs.map(
      async ({ handle, compiled_hash }) => [handle, (await objects.getBytes(compiled_hash)).toString('utf8')] as const,
    ),
  );
  const parsed = texts.map(([handle, text]) => [handle, JSON.parse(text) as CompiledComponent] as const);
  const isLive = parsed.some(([, { client }]) => client !== null);
  const runtime = isLive ? scriptFile('react', await clientRuntime()) : null;
  return {
    compiled: Object.fromEntries(texts),
    pages: new Map(parsed.map(([handle, compiled]) => [handle, readComponent(handle, compiled, runtime)])),
    runtime,
  };
}

/** The scripts of these components, with what they share. */
export function scriptFiles({ pages, runtime }: SiteComponents, handles: ReadonlySet<string>): ScriptFile[] {
  const own = [...handles].flatMap((handle) => pages.get(handle)?.script ?? []);
  return own.length > 0 && runtime ? [runtime, ...own] : [];
}

/** The public path of each component's script: pages that show it refer to it. */
export function scriptPaths({ pages }: SiteComponents): Map<string, string> {
  return new Map([...pages].flatMap(([handle, { script }]) => (script ? [[handle, script.path]] : [])));
}

/** What goes into a page that shows these components: for its head, for the end of its body, and what it may run. */
export function pageParts({ pages, runtime }: SiteComponents, handles: readonly string[]) {
  const shown = handles.flatMap((handle) => pages.get(handle) ?? []);
  const styles = shown.flatMap(({ css }) =>
    css === null ? [] : `<style>${css.replaceAll(/<(?=\/style)/gi, '\\3C ')}</style>`,
  );
  const scripts = shown.flatMap(({ script }) => script ?? []);
  const preload = scripts.length > 0 && runtime ? [`<link rel="modulepreload" href="${runtime.path}">`] : [];
  return {
    head: [...styles, ...preload].join(''),
    bodyEnd: scripts.map(({ path }) => `<script type="module" src="${path}"></script>`).join(''),
    sources: {
      inline: shown.flatMap(({ sources }) => sources.inline),
      external: shown.flatMap(({ sources }) => sources.external),
    },
  };
}
