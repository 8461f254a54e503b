import type { BuildInputs } from '../model.ts';
import type { ComponentParts } from '../page-parts.ts';
import type { PagePlan } from '../page-plan.ts';
import type { SentItems } from './kept-items.ts';

/** What a renderer receives about a site before it renders pages. Plain data: it is sent to another process. */
export interface RenderSnapshot {
  inputs: BuildInputs;
  siteUrl: string;
  assetPaths: [source: string, path: string][];
  translations: Record<string, Record<string, unknown>>;
  /** Hashes of the Twig sources by path in the shell; the sources are sent with the pages that need them. */
  templates: Record<string, string>;
  /** Compiled components as JSON, by handle. */
  components: Record<string, string>;
  /** What pages need of components in addition to their markup. */
  componentParts: ComponentParts;
  /** Whether pages are rendered for a preview, which shows why a component fails. */
  preview: boolean;
}

/** A snapshot as it is sent: a renderer may have kept items of the site's last build. */
export interface SentSnapshot extends Omit<RenderSnapshot, 'inputs'> {
  inputs: Omit<BuildInputs, 'items'>;
  items: SentItems;
}

export interface PlannedPage {
  plan: PagePlan;
  /** The template to render; empty for a feed. */
  template: string;
}

/** The planned pages, by path, in the order of the plan. */
export interface Planned {
  readonly size: number;
  get(path: string): PlannedPage | undefined;
  has(path: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<PlannedPage>;
}

/** A page with its final HTML. */
export interface RenderedPage {
  path: string;
  html: string;
  reads: string[];
  /** Handles of the components that it shows. */
  components: string[];
}

/** A fault for the author: `template` is empty and `line` and `column` are 0 when unknown. */
export interface RenderFault {
  path: string;
  message: string;
  template: string;
  line: number;
  column: number;
}

/** One request to a renderer. Plain data. */
export interface RenderRequest {
  pages: readonly PlannedPage[];
  /** Bodies of these pages' items and bodies that pages requested, by item id. */
  bodies: ReadonlyMap<string, string>;
  /** Twig sources that pages requested or may soon need, by path in the shell. */
  sources: ReadonlyMap<string, string>;
}

export type RenderReply =
  | { kind: 'page'; page: RenderedPage }
  /** The page needs bodies that were not sent; send them and render it again. */
  | { kind: 'bodies'; path: string; itemIds: string[] }
  /** The page needs a template whose source was not sent. */
  | { kind: 'source'; path: string; name: string }
  | { kind: 'fault'; fault: RenderFault };

/** Renders pages of one snapshot, in one renderer at a time. */
export interface RenderLane {
  /**
   * Returns replies for the first pages, at least one, in order; null when an extra lane had to return its renderer, and the
   * pages must be rendered in another lane. Rejects with the signal's reason once that is aborted.
   */
  render(request: RenderRequest): Promise<RenderReply[] | null>;
  close(): void;
}

/** The lane that waits for a renderer when it has none, and extra lanes. */
export interface RenderSession extends RenderLane {
  /** Maximum number of extra lanes at once. */
  extraLanes: number;
  /** Opens a lane in an idle renderer, which it returns as soon as another site waits; null if no renderer is idle. */
  extraLane(): RenderLane | null;
}

export interface Renderer {
  /** `signal` is aborted when the build must stop. */
  open(snapshot: RenderSnapshot, signal: AbortSignal): RenderSession;
  close(): Promise<void>;
}
