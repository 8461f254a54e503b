import type { SiteIndex } from '../site-index.ts';
import type { ComponentUse } from './components.ts';

/** The data from which pages of one snapshot are rendered. */
export interface RenderData {
  index: SiteIndex;
  siteUrl: string;
  /** Public path of each shell asset by its path in the shell. */
  assetPaths: ReadonlyMap<string, string>;
  /** `translations.json` of the shell: text by locale. */
  translations: Record<string, Record<string, unknown>>;
  /** Cached bodies by item id. */
  bodies: Map<string, string>;
  /** Whether pages are rendered for a preview, which shows what is missing. */
  preview: boolean;
  /**
   * Returns null if the site has no component with this handle. Throws when the component fails, except in a preview.
   */
  renderComponent(use: ComponentUse): { html: string; failed: boolean } | null;
}

/** Thrown when a page needs a body that was not sent; it is rendered again with it. */
export class MissingBody extends Error {
  readonly itemId: string;

  constructor(itemId: string) {
    super('a body was not sent');
    this.itemId = itemId;
  }
}

/** Thrown when a page needs a template whose source was not sent; it is rendered again with it. */
export class MissingSource extends Error {
  readonly template: string;

  constructor(template: string) {
    super('a source was not sent');
    this.template = template;
  }
}

/** What a page read and listed while it was rendered. */
export interface PageLog {
  reads: Set<string>;
  /** Handles of the components that it shows. */
  components: Set<string>;
  /** Items in the lists that the page read. */
  listed: Set<string>;
}

/** Creates the empty log of a page. */
export function createPageLog(): PageLog {
  return { reads: new Set(), components: new Set(), listed: new Set() };
}
