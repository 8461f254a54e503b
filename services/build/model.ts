import type { BuildTarget } from '../../workflows/contracts/site-actor.ts';
import type { PageMembers } from '../core/content-model.ts';

/**
 * The inputs of a build, read in one transaction. Everything is plain data: it is sent to the sandbox, and its JSON
 * form is stored with the release.
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

/** A published item without its body: the fields that pages may read. Timestamps are text, as in API records. */
export interface ItemInput extends PageMembers {
  /** Publication and creation time as numbers; lists are sorted by these, newest first. */
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
  /**
   * `processing`: variants are still being made. This member and the following ones are absent in releases made before
   * they were stored.
   */
  status?: string;
  variants: VariantInput[];
  /** A few pixels as a data URI, shown until the image has loaded. */
  placeholder?: string | null;
  /** The point that stays visible when the image is cropped; x and y from 0 to 1. */
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

/** The input of a build. */
export interface BuildTask {
  target: BuildTarget;
  inputs: BuildInputs;
  /** The release that the new one replaces; null when the site has no release for this target. */
  replaces: string | null;
}

/** The inputs stored with a release, so that a later build can pin the content as published. */
export interface StoredInputs extends Omit<BuildInputs, 'items' | 'shell'> {
  format: 1;
  /** Absent in releases made before it was stored. */
  shell?: ShellInput[];
  items: [id: string, revision: number][];
}

/** Thrown when the site's content prevents the build; `message` is for authors and is stored in the job. */
export class ContentFault extends Error {}
