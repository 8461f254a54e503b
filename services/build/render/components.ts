import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CompiledComponent } from '../../engines/components/compiled.ts';
import { runBounded, TooSlow } from '../../engines/sandbox/components/bounded.ts';
import { ComponentFailure } from '../../engines/sandbox/components/component-failure.ts';
import type { ReactRunner } from '../../engines/sandbox/components/react-runner.ts';
import { createVariablesCheck } from '../../engines/sandbox/components/variables-schema.ts';
import { SafeHtml, TwigError } from '../../twig/index.ts';
import { ContentFault } from '../model.ts';
import { failedMarkup, liveMarkup, wrap } from './component-markup.ts';

/** One use of a component on a page. */
export interface ComponentUse {
  handle: string;
  /** The data, or text that should be JSON. */
  vars: string | Vars;
  /** Keeps the ids of several components on a page distinct. */
  idPrefix: string;
  /** The path of the page. */
  place: string;
  /** The variable `site` of templates. */
  site: unknown;
}

export interface ComponentRendererOptions {
  /** Compiled components as JSON, by handle. */
  sources: Record<string, string>;
  /** In a preview, a component that fails shows the reason in its place; otherwise the page fails. */
  preview: boolean;
  /** Runs React components. */
  react: ReactRunner;
  /** Renders the template of an HTML component by its template name: see `componentOfTemplate`. */
  renderTemplate(name: string, context: Record<string, unknown>): string;
  /** Returns whether an error is not the component's fault but a signal to the caller of the page. */
  mustRethrow(error: unknown): boolean;
}

const checkTimeoutMs = 500;
const maxVarsLength = 1_000_000;
const rememberedCharacters = 32_000_000;
/** Maximum depth of components inside components. */
const maxDepth = 10;
const templatePrefix = '@components/';

type Vars = Record<string, unknown>;

/** Returns the handle of the component whose template has this name; null for templates of the shell. */
export function componentOfTemplate(name: string): string | null {
  return name.startsWith(templatePrefix) ? name.slice(templatePrefix.length) : null;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parseVars(text: string): Vars {
  if (text.trim() === '') return {};
  let vars: unknown;
  try {
    vars = JSON.parse(text);
  } catch {
    throw new ComponentFailure('its vars are not JSON');
  }
  if (typeof vars !== 'object' || vars === null || Array.isArray(vars)) {
    throw new ComponentFailure('its vars are not a JSON object');
  }
  return vars as Vars;
}

function describe(error: unknown): string | null {
  if (error instanceof ComponentFailure) return error.message;
  if (error instanceof RangeError) return 'its variables nest too deeply';
  if (!(error instanceof TwigError)) return null;
  return error.line > 0 ? `line ${error.line}: ${error.message}` : error.message;
}

function varsToJson(vars: Vars): string {
  const json = JSON.stringify(vars, (_name, value: unknown) => (value instanceof SafeHtml ? value.html : value));
  if (json.length > maxVarsLength) throw new ComponentFailure('its variables are too large');
  return json;
}

/** Creates the component renderer of one snapshot: it checks variables, runs the code and wraps the markup. */
export function createComponentRenderer(options: ComponentRendererOptions) {
  const { sources, preview, react, renderTemplate, mustRethrow } = options;
  let depth = 0;
  const compiled = new Map<string, CompiledComponent>();
  const checks = new Map<string, (vars: unknown) => string | null>();
  const remembered = new LRUCache<string, string>({
    maxSize: rememberedCharacters,
    sizeCalculation: (html, key) => html.length + key.length,
  });

  function find(handle: string): CompiledComponent | null {
    const known = compiled.get(handle);
    if (known) return known;
    const text = Object.hasOwn(sources, handle) ? sources[handle] : undefined;
    if (text === undefined) return null;
    const component = JSON.parse(text) as CompiledComponent;
    compiled.set(handle, component);
    return component;
  }

  /**
   * Returns the variables as JSON, with the schema's defaults. Throws a ComponentFailure if the schema refuses them.
   */
  function checkVars(handle: string, { schema }: CompiledComponent, json: string): string {
    if (!schema) return json;
    const vars: unknown = JSON.parse(json);
    let fault: string | null;
    try {
      fault = runBounded(() => {
        const check = checks.get(handle) ?? createVariablesCheck(schema);
        checks.set(handle, check);
        return check(vars);
      }, checkTimeoutMs);
    } catch (error) {
      if (!(error instanceof TooSlow || error instanceof RangeError)) throw error;
      fault = 'its variables take too long to check';
    }
    if (fault !== null) throw new ComponentFailure(fault);
    return JSON.stringify(vars);
  }

  function renderReact({ handle, place, idPrefix }: ComponentUse, vars: Vars, component: CompiledComponent): string {
    const given = varsToJson(vars);
    const live = component.client !== null;
    const key = JSON.stringify([handle, live ? idPrefix : '', given]);
    let html = remembered.get(key);
    if (html === undefined) {
      const props = checkVars(handle, component, given);
      const markup = react.render({ key: handle, code: component.code, props, live, place, idPrefix });
      html = live ? liveMarkup(handle, props, idPrefix, markup) : wrap(handle, '', markup);
      remembered.set(key, html);
    }
    return html;
  }

  function renderHtml({ handle, site }: ComponentUse, vars: Vars, component: CompiledComponent): string {
    let all = vars;
    if (component.schema) {
      const filled = JSON.parse(checkVars(handle, component, varsToJson(vars))) as Vars;
      // values that are HTML stay HTML: only the defaults of the schema are added
      all = { ...filled, ...vars };
    }
    if (depth >= maxDepth) throw new ComponentFailure(`components nest more than ${maxDepth} deep`);
    depth++;
    try {
      return wrap(handle, '', renderTemplate(templatePrefix + handle, { site, ...all, vars: all }));
    } finally {
      depth--;
    }
  }

  function renderUse(use: ComponentUse, component: CompiledComponent): string {
    const vars = typeof use.vars === 'string' ? parseVars(use.vars) : use.vars;
    return component.type === 'react' ? renderReact(use, vars, component) : renderHtml(use, vars, component);
  }

  return {
    /** Returns the template of an HTML component, or null. */
    template(handle: string): { source: string; hash: string } | null {
      const component = find(handle);
      return component?.type === 'html' ? { source: component.code, hash: hashText(component.code) } : null;
    },
    /**
     * Renders a component; returns null when the site has none with this handle. `failed` is set when a preview shows
     * the error; otherwise throws a ContentFault that names the component.
     */
    render(use: ComponentUse): { html: string; failed: boolean } | null {
      const component = find(use.handle);
      if (!component) return null;
      try {
        return { html: renderUse(use, component), failed: false };
      } catch (error) {
        const reason = mustRethrow(error) ? null : describe(error);
        if (reason === null) throw error;
        const message = `The component "${use.handle}" failed: ${reason}`;
        if (!preview) throw new ContentFault(message, { cause: error });
        return { html: failedMarkup(use.handle, message), failed: true };
      }
    },
  };
}
