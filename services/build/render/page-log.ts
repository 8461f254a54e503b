import type { SiteIndex } from '../site-index.ts';
import type { ComponentUse } from './components.ts';

/** What pages of one snapshot are rendered from. */
export interface RenderData {
  index: SiteIndex;
  siteUrl: string;
  /** Public path of each shell asset by its path in the shell. */
  assetPaths: ReadonlyMap<string, string>;
  /** `translations.json` of the shell: text by locale. */
  translations: Record<string, Record<string, unknown>>;
  /** Bodies by item id, as far as they are remembered. */
  bodies: Map<string, string>;
  /** Whether pages are made for a preview: what is missing there says so in its own place. */
  preview: boolean;
  /** Null for a handle that the site does not have. Throws when the component fails, unless its place shows why. */
  renderComponent(use: ComponentUse): { html: string; failed: boolean } | null;
}

/** A page asked for a body that was not sent along; it is rendered again with it. */
export class MissingBody extends Error {
  readonly itemId: string;

  constructor(itemId: string) {
    super('a body is missing');
    this.itemId = itemId;
  }
}

/** A page needs a template whose source was not sent along; it is rendered again with it. */
export class MissingSource extends Error {
  readonly template: string;

  constructor(template: string) {
    super('a source is missing');
    this.template = template;
  }
}

/** What a page read and brought along while it was rendered. */
export interface PageLog {
  reads: Set<string>;
  /** Handles of the components that it shows. */
  components: Set<string>;
  /** Items of the lists that the page asked for. */
  listed: Set<string>;
}

/** The log of a page that has read nothing yet. */
export function createPageLog(): PageLog {
  return { reads: new Set(), components: new Set(), listed: new Set() };
}
