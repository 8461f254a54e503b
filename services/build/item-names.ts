import { type Block, makeBlocks } from './blocks.ts';
import type { BuildInputs, ItemInput, StoredInputs } from './model.ts';

/** Ids and revisions of items as JSON text, in blocks. */
export type ItemNames = readonly Block<ItemInput, string>[];

const blockItems = 1_000;

const writeNames = (items: readonly ItemInput[]) => items.map(({ id, revision }) => `["${id}",${revision}]`).join();

/** Returns the ids and revisions of all items. `sorted`: those that have a path. `before`: the blocks of an earlier release. */
export function nameItems({ items }: BuildInputs, sorted: readonly ItemInput[], before: ItemNames = []): ItemNames {
  if (items.length === sorted.length) return makeBlocks(sorted, blockItems, before, writeNames);
  const shown = new Set(sorted);
  return makeBlocks([...items.filter((item) => !shown.has(item)), ...sorted], blockItems, before, writeNames);
}

/**
 * Returns the inputs to store with a release, as JSON of `StoredInputs`. Only media shown on pages is included, because the
 * library may be large.
 */
export function writeInputs(
  { site, shell, components, redirects, scripts, media }: BuildInputs,
  names: ItemNames,
  mediaIds: ReadonlySet<string>,
): Buffer {
  const shown = media.filter(({ id }) => mediaIds.has(id));
  const others: Omit<StoredInputs, 'items'> = { format: 1, site, shell, components, redirects, scripts, media: shown };
  const items = names.map(({ value }) => value).join();
  return Buffer.from(`${JSON.stringify(others).slice(0, -1)},"items":[${items}]}`);
}
