import { escapeHtml } from '../core/html.ts';
import { originalName, variantName, variantType } from '../core/media-paths.ts';
import { assetsPrefix } from './manifest.ts';
import { isInProgress } from './media-progress.ts';
import type { MediaInput, VariantInput } from './model.ts';

/** Best first: a browser uses the first source that it supports. */
const formatOrder = ['avif', 'webp', 'jpeg', 'png', 'gif'];

/** A file of a release that is not a page. */
export interface PublicFile {
  path: string;
  hash: string;
  bytes: number;
  type: string;
}

export interface PictureOptions {
  sizes?: string;
  lazy?: boolean;
  alt?: string;
  title?: string;
  class?: string;
  width?: string;
  height?: string;
}

/** Returns the file of a variant with its public path. */
function variantFile(variant: VariantInput): PublicFile {
  const { format, hash, bytes } = variant;
  return { path: `${assetsPrefix}media/${variantName(variant)}`, hash, bytes, type: variantType(format) };
}

/**
 * Returns the original of a media item with its public path; the edge serves formats that could run scripts as
 * downloads.
 */
function originalFile(media: MediaInput): PublicFile {
  const { sha256: hash, bytes, mime_type: type } = media;
  return { path: `${assetsPrefix}media/${originalName(media)}`, hash, bytes, type };
}

/** Returns every file of a media item that a page may request. */
export function mediaFiles(media: MediaInput): PublicFile[] {
  const original = shownOriginal(media);
  return media.variants.length > 0 || !original ? media.variants.map(variantFile) : [original];
}

/**
 * Returns the original if no variants exist or will be made, else null. Its metadata may contain a location, so it is
 * never shown while variants are being made.
 */
function shownOriginal(media: MediaInput): PublicFile | null {
  return isInProgress(media) ? null : originalFile(media);
}

/**
 * Returns the file for places that can name only one: the largest variant of the most widely supported format, else the
 * original; null while variants are being made.
 */
export function mainFile(media: MediaInput): PublicFile | null {
  if (media.kind === 'video') return clipsOf(media)[0] ? variantFile(clipsOf(media)[0]!) : shownOriginal(media);
  const known = [...media.variants].sort(
    (a, b) => formatOrder.indexOf(b.format) - formatOrder.indexOf(a.format) || b.width - a.width,
  );
  return known[0] ? variantFile(known[0]) : shownOriginal(media);
}

function attributes(pairs: [string, string | null | undefined][]): string {
  return pairs
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(value!)}"`)
    .join('');
}

function sourceSet(variants: VariantInput[], link: (path: string) => string): string {
  return [...variants]
    .sort((a, b) => a.width - b.width)
    .map((variant) => `${link(variantFile(variant).path)} ${variant.width}w`)
    .join(', ');
}

function groupByFormat(media: MediaInput): [string, VariantInput[]][] {
  const formats = Map.groupBy(media.variants, (variant) => variant.format);
  return [...formats].sort(([a], [b]) => formatOrder.indexOf(a) - formatOrder.indexOf(b));
}

/** Returns an empty image in the size of an image that is not ready. */
function blankImage({ width, height }: MediaInput): string {
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"${size}/>`)}`;
}

/**
 * Returns the size to reserve: the author's, else the media item's own. If the author gives one side, the other is
 * computed.
 */
function reservedSize(media: MediaInput, { width, height }: PictureOptions): [string, string | null | undefined][] {
  const scaleSide = (given: string, from: number | null, to: number | null) => {
    const length = given.includes('%') ? Number.NaN : Number.parseFloat(given);
    return from && to && length > 0 ? String(Math.round((length * to) / from)) : null;
  };
  return [
    ['width', width ?? (height === undefined ? media.width?.toString() : scaleSide(height, media.height, media.width))],
    [
      'height',
      height ?? (width === undefined ? media.height?.toString() : scaleSide(width, media.width, media.height)),
    ],
  ];
}

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;

/** Returns the style with the placeholder shown until the image has loaded, and the focal point for cropping. */
function imageStyle({ placeholder, focal_point }: MediaInput): string | null {
  const position = focal_point ? `${percent(focal_point.x)} ${percent(focal_point.y)}` : null;
  const parts = [
    placeholder ? `background:url(${placeholder}) ${position ?? 'center'}/cover no-repeat` : null,
    position ? `object-position:${position}` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(';') : null;
}

/**
 * Renders a responsive `<picture>` with every variant and a reserved size, lazy by default (contract: In `body_html`).
 * It is blank while variants are being made. `link` turns a public path into the URL to write.
 */
function renderPicture(media: MediaInput, link: (path: string) => string, options: PictureOptions = {}): string {
  const sizes = options.sizes ?? '100vw';
  const groups = groupByFormat(media);
  const fallback = groups.at(-1);
  const sources = groups.slice(0, -1).map(
    ([format, variants]) =>
      `<source${attributes([
        ['type', variantType(format)],
        ['srcset', sourceSet(variants, link)],
        ['sizes', sizes],
      ])}>`,
  );
  const main = mainFile(media);
  const img = `<img${attributes([
    ['src', main ? link(main.path) : blankImage(media)],
    ['srcset', fallback ? sourceSet(fallback[1], link) : null],
    ['sizes', fallback ? sizes : null],
    ...reservedSize(media, options),
    ['alt', options.alt ?? (media.decorative ? '' : (media.alt ?? ''))],
    ['title', options.title],
    ['class', options.class],
    ['style', imageStyle(media)],
    ['loading', options.lazy === false ? null : 'lazy'],
    ['fetchpriority', options.lazy === false ? 'high' : null],
    ['decoding', 'async'],
  ])}>`;
  return `<picture>${sources.join('')}${img}</picture>`;
}

/** Returns the renditions of a video, largest first. */
function clipsOf(media: MediaInput): VariantInput[] {
  return media.variants.filter(({ format }) => format === 'mp4').sort((a, b) => b.width - a.width);
}

/**
 * Renders a player with its poster. Of several renditions, the browser uses the first that its window is wide enough
 * for.
 */
function renderVideo(media: MediaInput, link: (path: string) => string, options: PictureOptions): string {
  const clips = clipsOf(media);
  const poster = media.variants.find(({ format }) => format === 'jpeg');
  const sources = clips.map((clip, index) => {
    const smaller = clips[index + 1];
    return `<source${attributes([
      ['src', link(variantFile(clip).path)],
      ['type', 'video/mp4'],
      ['media', smaller ? `(min-width: ${smaller.width + 1}px)` : null],
    ])}>`;
  });
  const original = shownOriginal(media);
  return `<video${attributes([
    ['src', clips.length > 0 || !original ? null : link(original.path)],
    ['poster', poster ? link(variantFile(poster).path) : null],
    ...reservedSize(media, options),
    ['class', options.class],
    ['aria-label', options.alt ?? media.alt],
  ])} controls playsinline preload="${poster ? 'none' : 'metadata'}">${sources.join('')}</video>`;
}

/** Renders a media item: a picture, a player, or a download link. */
export function renderMedia(media: MediaInput, link: (path: string) => string, options: PictureOptions = {}): string {
  if (media.kind === 'image') return renderPicture(media, link, options);
  if (media.kind === 'video') return renderVideo(media, link, options);
  return `<a${attributes([
    ['href', link(originalFile(media).path)],
    ['download', media.filename],
  ])}>${escapeHtml(media.alt || media.filename)}</a>`;
}
