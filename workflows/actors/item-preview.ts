import type { ItemPreview, ItemPreviewInput } from '../contracts/item-preview.ts';
import type { ActorRuntime } from '../contracts/runtime.ts';

/** Renders one preview of an item, for a request that waits for it. */
export async function itemPreview(runtime: ActorRuntime, input: ItemPreviewInput): Promise<ItemPreview> {
  return runtime.call('previewItem', input);
}
