/** Names and payloads of the preview of one item, which the gateway awaits because only workers render. Imports nothing. */

export const itemPreviewType = 'itemPreview';
/** The render itself is bounded below this. */
export const itemPreviewTimeoutMs = 75_000;

export interface ItemPreviewInput {
  siteId: string;
  contentId: string;
}

/** A release that a preview link may open. */
export interface ItemPreview {
  release: string;
  /** The path of the item's page, from the site's root. */
  path: string;
}

export interface ItemPreviewActivities {
  /** Fails with `not_found` when the item is gone, `validation_failed` when the page cannot be rendered. */
  previewItem(order: ItemPreviewInput): Promise<ItemPreview>;
}
