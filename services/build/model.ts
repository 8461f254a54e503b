import type { BuildTarget } from '../../workflows/contracts/site-actor.ts';

/**
 * What a build reads, taken in one transaction. Everything is plain data: it crosses into the sandbox, and its JSON form
 * is what a release remembers of its inputs.
 */
export interface SiteInput {
  id: string;
  slug: string;
  name: string;
  domain: string | null;
  default_locale: string;
  locales: { locale: string; name?: string }[];
  settings: Record<string, unknown>;
}

/** A published item without its body. Timestamps are text, as in records. */
export interface ItemInput {
  id: string;
  revision: number;
  type: string;
  title: string;
  slug: string;
  locale: string;
  excerpt: string | null;
  author: string | null;
  status: string;
  scheduled_at: string | null;
  published_at: string | null;
  featured_media_id: string | null;
  seo_title: string | null;
  seo_description: string | null;
  tags: string[];
  source_ref: string | null;
  translation_of: string | null;
  created_at: string;
  updated_at: string;
  /** When it was published, then created, as numbers: newest first is by these. */
  order: [publishedMs: number, createdUs: number];
}

export interface ShellInput {
  path: string;
  hash: string;
  bytes: number;
  content_type: string;
}

export interface ComponentInput {
  handle: string;
  type: string;
  source_hash: string;
  compiled_hash: string;
  css: string | null;
  variables_schema: unknown;
  sha256: string;
}

export interface RedirectInput {
  from: string;
  to: string;
  status: number;
}

export interface ScriptInput {
  id: string;
  position: 'head' | 'body_end';
  src: string | null;
  code: string | null;
}

/** One rendition of a media item. `format` is `webp`, `avif`, `jpeg`, `png`, `gif` or `mp4`; `hash` names its bytes. */
export interface VariantInput {
  format: string;
  width: number;
  height: number;
  bytes: number;
  hash: string;
}

export interface MediaInput {
  id: string;
  revision: number;
  kind: string;
  filename: string;
  mime_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  duration: number | null;
  alt: string | null;
  decorative: boolean;
  /** `processing`: its variants are still being made. Releases made before this was kept lack it and what follows. */
  status?: string;
  variants: VariantInput[];
  /** A few pixels as a data URI, to show until the image has come. */
  placeholder?: string | null;
  /** What must stay visible when the image is cropped, from 0 to 1. */
  focal_point?: { x: number; y: number } | null;
}

export interface BuildInputs {
  site: SiteInput;
  items: ItemInput[];
  shell: ShellInput[];
  components: ComponentInput[];
  redirects: RedirectInput[];
  scripts: ScriptInput[];
  media: MediaInput[];
}

/** What a build is to make a release of. */
export interface BuildTask {
  target: BuildTarget;
  inputs: BuildInputs;
  /** The release that the new one replaces; null when the site has none of this target. */
  replaces: string | null;
}

/** What a release keeps of its inputs, so that a later build can pin the content as it was published. */
export interface StoredInputs extends Omit<BuildInputs, 'items' | 'shell'> {
  format: 1;
  /** Releases made before this was kept lack it. */
  shell?: ShellInput[];
  items: [id: string, revision: number][];
}

/** The build cannot go on because of what the site's authors wrote; `message` is for them and ends up in the job. */
export class ContentFault extends Error {}
