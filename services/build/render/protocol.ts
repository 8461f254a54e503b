import type { BuildInputs } from '../model.ts';
import type { ComponentParts } from '../page-parts.ts';
import type { PagePlan } from '../pages.ts';

/** What the renderer is told about a site before it renders pages of it. Plain data: it crosses into another process. */
export interface RenderSnapshot {
  inputs: BuildInputs;
  siteUrl: string;
  assetPaths: [source: string, path: string][];
  translations: Record<string, Record<string, unknown>>;
  /** Hashes of the Twig sources by path in the shell; the sources come with the pages that need them. */
  templates: Record<string, string>;
  /** Compiled components as JSON, by handle. */
  components: Record<string, string>;
  /** What pages that show them get beside their markup. */
  componentParts: ComponentParts;
  /** Whether pages are made for a preview, where a component that fails shows why. */
  preview: boolean;
}

export interface PageOrder {
  plan: PagePlan;
  /** The template to render; empty for a feed. */
  template: string;
}

/** A page with the HTML that visitors get. */
export interface RenderedPage {
  path: string;
  html: string;
  reads: string[];
  /** Handles of the components that it shows. */
  components: string[];
}

/** What went wrong, for the author: the place is empty, lines and columns are 0 when they are not known. */
export interface RenderFault {
  path: string;
  message: string;
  template: string;
  line: number;
  column: number;
}

/** What a renderer is asked for at once. Plain data. */
export interface RenderAsk {
  orders: readonly PageOrder[];
  /** Bodies of these pages' items, and what pages have asked for, by item id. */
  bodies: ReadonlyMap<string, string>;
  /** Twig sources that pages have asked for, or soon may, by path in the shell. */
  sources: ReadonlyMap<string, string>;
}

export type RenderReply =
  | { kind: 'page'; page: RenderedPage }
  /** The page shows bodies that were not sent along; ask again after sending them. */
  | { kind: 'bodies'; path: string; itemIds: string[] }
  /** The page needs a template whose source was not sent along. */
  | { kind: 'source'; path: string; name: string }
  | { kind: 'fault'; fault: RenderFault };

/** Renders pages of one snapshot. */
export interface RenderSession {
  /** Answers for the first pages asked for, at least one, in their order. Rejects with the signal's reason once that is aborted. */
  render(ask: RenderAsk): Promise<RenderReply[]>;
  close(): void;
}

export interface Renderer {
  /** `signal` is aborted when the build is to stop. */
  open(snapshot: RenderSnapshot, signal: AbortSignal): RenderSession;
  close(): Promise<void>;
}
