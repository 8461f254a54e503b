import type { ObjectStore } from '../engines/objects/store.ts';
import type { TemplateInput } from './shell.ts';

/** How much is sent along that nobody has asked for yet: the whole of an ordinary shell, at once. */
const aheadBytes = 1_000_000;

/**
 * Gives renderers the sources of a shell's templates, as pages need them: what they ask for, and with it others that have not been
 * sent yet, so that a page with many partials does not ask for each.
 */
export function createSourceFeed(
  templates: Readonly<Record<string, TemplateInput>>,
  objects: Pick<ObjectStore, 'getBytes'>,
) {
  const unsent = new Map(Object.entries(templates));

  /** What is sent: the sources asked for, then others up to the bound. */
  function choose(needed: readonly string[]): Map<string, TemplateInput> {
    const chosen = new Map(needed.map((name) => [name, templates[name]!]));
    let bytes = [...chosen.values()].reduce((sum, template) => sum + template.bytes, 0);
    for (const [name, template] of unsent) {
      if (chosen.has(name)) continue;
      if (bytes + template.bytes > aheadBytes) break;
      chosen.set(name, template);
      bytes += template.bytes;
    }
    return chosen;
  }

  return {
    /** Sources by name: those needed, and some more. Throws MissingObject. */
    async next(needed: readonly string[]): Promise<Map<string, string>> {
      const sources = new Map<string, string>();
      for (const [name, { hash }] of choose(needed)) {
        sources.set(name, (await objects.getBytes(hash)).toString('utf8'));
        unsent.delete(name);
      }
      return sources;
    },
  };
}

export type SourceFeed = ReturnType<typeof createSourceFeed>;
