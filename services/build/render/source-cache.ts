import { MissingSource } from './page-log.ts';

/** Compiled templates are cached separately, so few sources are needed twice. */
const maxCharacters = 16_000_000;

/**
 * Creates a cache of the template sources sent to a renderer. It keeps those sent last; a renderer can request the
 * others again.
 */
export function createSourceCache(limit = maxCharacters) {
  let sources = new Map<string, string>();
  let characters = 0;
  return {
    /** Caches sources by template name. Sources sent together are kept together, whatever their size. */
    remember(sent: ReadonlyMap<string, string>): void {
      if (sent.size > 0 && characters > limit) {
        sources = new Map();
        characters = 0;
      }
      for (const [name, source] of sent) {
        characters += source.length - (sources.get(name)?.length ?? 0);
        sources.set(name, source);
      }
    },
    /** Returns a source. Throws MissingSource. */
    require(name: string): string {
      const source = sources.get(name);
      if (source === undefined) throw new MissingSource(name);
      return source;
    },
  };
}
