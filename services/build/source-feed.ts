import type { ObjectStore } from '../engines/objects/store.ts';
import type { TemplateInput } from './shell.ts';

/** Bytes sent ahead of requests: enough for all templates of an ordinary shell. */
const aheadBytes = 1_000_000;

/**
 * Creates a feed that supplies renderers with template sources: those requested, and others not sent yet, so that a
 * page with many partials does not request each one.
 */
export function createSourceFeed(
  templates: Readonly<Record<string, TemplateInput>>,
  objects: Pick<ObjectStore, 'getBytes'>,
) {
  const unsent = new Map(Object.entries(templates));

  /** Returns the templates to send: those requested, then others up to the limit. */
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
    /** Returns sources by name: those requested and some more. Throws MissingObject. */
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
