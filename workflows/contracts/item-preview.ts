/** Names and payloads of item previews, which the gateway awaits because only workers render. Imports nothing. */

export const itemPreviewType = 'itemPreview';
/** Must exceed the time limit of the render itself. */
export const itemPreviewTimeoutMs = 75_000;

export interface ItemPreviewInput {
  siteId: string;
  contentId: string;
}

/** A release for a preview link. */
export interface ItemPreview {
  release: string;
  /** The path of the item's page, from the site's root. */
  path: string;
}

export interface ItemPreviewActivities {
  /** Fails with `not_found` if the item no longer exists, `validation_failed` if the page cannot be rendered. */
  previewItem(input: ItemPreviewInput): Promise<ItemPreview>;
}
