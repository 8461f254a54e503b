/** Widths that pictures are offered in; the original's own width is the largest when it is smaller. */
const widths = [320, 640, 960, 1280, 1920, 2560];
/** Frames together may have this many times the pixels allowed for one picture: all of them are in memory at once. */
export const animationFactor = 2;

export type ImageFormat = 'webp' | 'avif' | 'jpeg' | 'png' | 'gif';

/** What the decoder says about an image. Width and height are those shown, after orientation. */
export interface ImageFacts {
  format: string;
  width: number;
  height: number;
  frames: number;
  hasAlpha: boolean;
}

/** Widths to make, ascending; never more than the original has. */
export function planWidths(originalWidth: number): number[] {
  const smaller = widths.filter((width) => width < originalWidth);
  const largest = widths.at(-1)!;
  return originalWidth <= largest ? [...smaller, originalWidth] : smaller;
}

/** A format for everybody: the original's own where browsers know it. */
function commonFormat({ format, hasAlpha }: ImageFacts): ImageFormat | null {
  if (format === 'jpeg' || format === 'png' || format === 'gif') return format;
  if (format === 'tiff') return hasAlpha ? 'png' : 'jpeg';
  return null;
}

/** Formats of one step: the quick ones that make an image usable, then AVIF, which no animation becomes. */
function planFormats(facts: ImageFacts, step: 'variants' | 'avif'): ImageFormat[] {
  if (step === 'avif') return facts.frames > 1 ? [] : ['avif'];
  const common = commonFormat(facts);
  return common ? ['webp', common] : ['webp'];
}

/** The most lines that a format can have. */
const maxHeights: Record<ImageFormat, number> = {
  webp: 16_383,
  avif: 16_384,
  jpeg: 65_535,
  png: Infinity,
  gif: 65_535,
};

/**
 * The files of one step, the smaller widths first. A format without room for a very long image is left out whole: browsers
 * would take its smaller files for large screens.
 */
export function planFiles(facts: ImageFacts, step: 'variants' | 'avif'): { format: ImageFormat; width: number }[] {
  const sizes = planWidths(facts.width);
  const longest = Math.ceil((facts.height * sizes.at(-1)!) / facts.width);
  return planFormats(facts, step)
    .filter((format) => longest <= maxHeights[format])
    .flatMap((format) => sizes.map((width) => ({ format, width })));
}

/** Whether all frames of an animation together are too much work; the original is served then, as it is. */
export function isTooLong({ width, height, frames }: ImageFacts, maxPixels: number): boolean {
  return frames > 1 && width * height * frames > maxPixels * animationFactor;
}
