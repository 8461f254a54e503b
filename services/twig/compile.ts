import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TwigError } from './errors.ts';
import { createLibrary, type HostNames, type Library } from './generate/library.ts';
import { generateTemplate } from './generate/template.ts';
import { parseTemplate } from './parse/parser.ts';
import { instantiateCode } from './runtime/engine.ts';
import { registerInstance } from './runtime/load.ts';
import type { TemplateCode, TemplateInstance } from './runtime/state.ts';

export type TemplateFactory = (template: TemplateInstance) => TemplateCode;

const maxCachedCharacters = 64_000_000;
const maxSourceCharacters = 8_000_000;

/**
 * Compiled templates of every environment in this process, keyed by the hash of their text and the names they may use.
 */
const compiled = new LRUCache<string, TemplateFactory>({ max: 2_000, maxSize: maxCachedCharacters });

/** Returns the hash of a text, for hosts that do not supply one. */
export function hashSource(source: string): string {
  return createHash('sha256').update(source).digest('hex');
}

/** A compiler for environments with the same names. */
export interface Compiler {
  /** Compiles a template or returns it from the cache. Throws a `TwigError`. */
  compile(source: string, hash: string, name: string): TemplateFactory;
}

/** Creates a compiler; its results are shared with every other compiler that has the same names. */
export function createCompiler(host: HostNames): Compiler {
  const library = createLibrary(host);
  const names = [host.functions, host.filters, host.tests].map((set) => [...set].sort());
  const signature = hashSource(JSON.stringify(names));
  return {
    compile(source, hash, name) {
      const key = `${hash}:${signature}`;
      const known = compiled.get(key);
      if (known) return known;
      const javascript = translate(source, name, library);
      const factory = instantiateCode(javascript);
      compiled.set(key, factory, { size: Math.max(1, javascript.length) });
      return factory;
    },
  };
}

function translate(source: string, name: string, library: Library): string {
  if (source.length > maxSourceCharacters)
    throw new TwigError('limit', 'The template is too long.', { template: name, line: 1, column: 1 });
  try {
    return generateTemplate(parseTemplate(source, name, library), name, library);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TwigError('limit', 'The template nests too deeply.', { template: name, line: 1, column: 1 });
  }
}

/** Creates a template with a name from its compiled form. */
export function createInstance(factory: TemplateFactory, name: string): TemplateInstance {
  const instance = registerInstance({
    name,
    code: null as unknown as TemplateCode,
    blocks: null,
    traitBlocks: null,
    embedded: [],
  });
  instance.code = factory(instance);
  instance.embedded = instance.code.embedded.map((inner) => createInstance(inner, name));
  return instance;
}
