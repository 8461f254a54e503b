import { availableParallelism } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { inParallel } from '../../../core/in-parallel.ts';
import { animationFactor, type ImageFacts, type ImageFormat, isTooLong, planFiles } from './image-plan.ts';

export interface ImageJob {
  input: string;
  /** An empty folder for the results. */
  folder: string;
  step: 'variants' | 'avif';
  maxPixels: number;
}

export interface ImageFile {
  format: ImageFormat;
  width: number;
  height: number;
  file: string;
}

/** Number of files of both steps: made and planned. */
export interface ImageProgress {
  done: number;
  total: number;
}

export interface ImageResult {
  facts: ImageFacts;
  files: ImageFile[];
  /** A few pixels as a data URI, shown until the image has loaded. */
  placeholder: string | null;
  /** Number of files that the other step has to make afterwards. */
  left: number;
}

const placeholderSide = 16;

const encoders: Record<ImageFormat, (image: Sharp) => Sharp> = {
  webp: (image) => image.webp({ quality: 80 }),
  avif: (image) => image.avif({ quality: 50, effort: 3 }),
  jpeg: (image) => image.jpeg({ quality: 80, progressive: true }),
  png: (image) => image.png(),
  gif: (image) => image.gif({ effort: 4 }),
};

async function readFacts(input: string, maxPixels: number): Promise<ImageFacts> {
  const meta = await sharp(input, { limitInputPixels: maxPixels }).metadata();
  const { width, height } = meta.autoOrient;
  const frames = meta.pages ?? 1;
  // the pages of HEIF and TIFF files are not frames
  const animated = meta.format === 'gif' || meta.format === 'webp';
  return {
    format: meta.format === 'heif' ? 'avif' : meta.format,
    width,
    height: animated ? (meta.pageHeight ?? height) : height,
    frames: animated ? frames : 1,
    hasAlpha: meta.hasAlpha,
  };
}

/**
 * Opens an image for several outputs: oriented upright, in sRGB, without metadata. A still image is decoded once, at
 * the largest size needed; an animation is decoded per output, because it has many frames.
 */
async function openSource(job: ImageJob, facts: ImageFacts, largest: number): Promise<() => Sharp> {
  const options = { limitInputPixels: job.maxPixels * animationFactor, sequentialRead: true };
  if (facts.frames > 1) return () => sharp(job.input, { ...options, animated: true });
  const { data, info } = await sharp(job.input, { ...options, limitInputPixels: job.maxPixels })
    .autoOrient()
    .resize({ width: largest, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels as 1 | 2 | 3 | 4 };
  return () => sharp(data, { raw, limitInputPixels: false });
}

/** Returns null for an image with transparency: the placeholder would stay visible. */
async function makePlaceholder(source: () => Sharp, facts: ImageFacts, input: string): Promise<string | null> {
  const still = facts.frames > 1 ? sharp(input) : source();
  const box = { width: placeholderSide, height: placeholderSide, fit: 'inside', withoutEnlargement: true } as const;
  const tiny = await still.resize(box).png().toBuffer();
  if (facts.hasAlpha && !(await sharp(tiny).stats()).isOpaque) return null;
  const data = await sharp(tiny).webp({ quality: 30 }).toBuffer();
  return `data:image/webp;base64,${data.toString('base64')}`;
}

/** Returns the number of files that both steps make, and how many were made before this one. */
function countPlanned(facts: ImageFacts, step: ImageJob['step']) {
  const [first, second] = (['variants', 'avif'] as const).map((one) => planFiles(facts, one).length);
  return { before: step === 'avif' ? first! : 0, total: first! + second! };
}

/**
 * Makes the renditions of one step and reports progress. Throws the decoder's error for a file that is broken or larger
 * than `maxPixels`.
 */
export async function runImageJob(
  job: ImageJob,
  onProgress: (progress: ImageProgress) => void = () => undefined,
): Promise<ImageResult> {
  const facts = await readFacts(job.input, job.maxPixels);
  if (isTooLong(facts, job.maxPixels)) return { facts, files: [], placeholder: null, left: 0 };
  const wanted = planFiles(facts, job.step);
  if (wanted.length === 0) return { facts, files: [], placeholder: null, left: 0 };
  const { before, total } = countPlanned(facts, job.step);
  let done = before;
  onProgress({ done, total });
  const source = await openSource(job, facts, Math.max(...wanted.map(({ width }) => width)));
  // the largest takes longest: started first, it does not run alone at the end
  const files = await inParallel(
    wanted.reverse(),
    availableParallelism(),
    async ({ format, width }): Promise<ImageFile> => {
      const file = path.join(job.folder, `${width}.${format}`);
      const image = source().resize({ width, withoutEnlargement: true });
      const info = await encoders[format](image).toFile(file);
      onProgress({ done: ++done, total });
      return { format, width: info.width, height: info.pageHeight ?? info.height, file };
    },
  );
  const placeholder = job.step === 'variants' ? await makePlaceholder(source, facts, job.input) : null;
  return { facts, files: files.reverse(), placeholder, left: total - done };
}
