/** Widths of the renditions; for a smaller original, its own width is the largest. */
const widths = [320, 640, 960, 1280, 1920, 2560];
/** All frames together may have this many times the pixels allowed for one image: all of them are in memory at once. */
export const animationFactor = 2;

export type ImageFormat = 'webp' | 'avif' | 'jpeg' | 'png' | 'gif';

/** What the decoder reports about an image. Width and height are as displayed, after orientation. */
export interface ImageFacts {
  format: string;
  width: number;
  height: number;
  frames: number;
  hasAlpha: boolean;
}

/** Returns the widths to make, ascending; never more than the original's. */
export function planWidths(originalWidth: number): number[] {
  const smaller = widths.filter((width) => width < originalWidth);
  const largest = widths.at(-1)!;
  return originalWidth <= largest ? [...smaller, originalWidth] : smaller;
}

/** Returns the format for all browsers: the original's own if browsers support it. */
function commonFormat({ format, hasAlpha }: ImageFacts): ImageFormat | null {
  if (format === 'jpeg' || format === 'png' || format === 'gif') return format;
  if (format === 'tiff') return hasAlpha ? 'png' : 'jpeg';
  return null;
}

/**
 * Returns the formats of one step: the fast ones that make an image usable, then AVIF, which is not used for
 * animations.
 */
function planFormats(facts: ImageFacts, step: 'variants' | 'avif'): ImageFormat[] {
  if (step === 'avif') return facts.frames > 1 ? [] : ['avif'];
  const common = commonFormat(facts);
  return common ? ['webp', common] : ['webp'];
}

/** The maximum height of each format. */
const maxHeights: Record<ImageFormat, number> = {
  webp: 16_383,
  avif: 16_384,
  jpeg: 65_535,
  png: Infinity,
  gif: 65_535,
};

/**
 * Returns the files of one step, smaller widths first. A format too small for a very long image is omitted completely:
 * browsers would show its smaller files on large screens.
 */
export function planFiles(facts: ImageFacts, step: 'variants' | 'avif'): { format: ImageFormat; width: number }[] {
  const sizes = planWidths(facts.width);
  const longest = Math.ceil((facts.height * sizes.at(-1)!) / facts.width);
  return planFormats(facts, step)
    .filter((format) => longest <= maxHeights[format])
    .flatMap((format) => sizes.map((width) => ({ format, width })));
}

/** Returns whether the frames of an animation are too much work in total; then the original is served unchanged. */
export function isTooLong({ width, height, frames }: ImageFacts, maxPixels: number): boolean {
  return frames > 1 && width * height * frames > maxPixels * animationFactor;
}
