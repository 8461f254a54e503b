/** Names and payloads of theme previews, which the gateway awaits like those of items. Imports nothing. */

export const shellPreviewType = 'shellPreview';

export interface ShellPreviewInput {
  siteId: string;
  /** The hash of the object that lists the files of the theme as JSON. */
  shellHash: string;
}

/** A release for a preview link. */
export interface ShellPreview {
  release: string;
}

export interface ShellPreviewActivities {
  /** Fails with `not_found` if the site no longer exists, `validation_failed` if a page cannot be rendered. */
  previewShell(input: ShellPreviewInput): Promise<ShellPreview>;
}
