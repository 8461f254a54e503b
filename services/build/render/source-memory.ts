import { MissingSource } from './page-log.ts';

/** Compiled templates are remembered besides, so few sources are read twice. */
const maxCharacters = 16_000_000;

/** The sources of templates that a renderer was sent, those sent last; it can ask for the others again. */
export function createSourceMemory(limit = maxCharacters) {
  let sources = new Map<string, string>();
  let characters = 0;
  return {
    /** Remembers sources by template name. What was sent together is remembered together, whatever its size. */
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
    /** Throws MissingSource. */
    require(name: string): string {
      const source = sources.get(name);
      if (source === undefined) throw new MissingSource(name);
      return source;
    },
  };
}
