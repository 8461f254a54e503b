/** Heights of a landscape video's renditions, or widths of a portrait one's. */
const shortSides = [480, 720, 1080];
const maxPosterWidth = 1280;

/** What ffprobe reports about a video; width and height are as displayed, after rotation. */
export interface VideoFacts {
  width: number;
  height: number;
  /** Seconds; null when unknown. */
  duration: number | null;
}

export interface Size {
  width: number;
  height: number;
}

const even = (length: number) => Math.max(2, Math.round(length / 2) * 2);

function scale({ width, height }: Size, factor: number): Size {
  return { width: even(width * factor), height: even(height * factor) };
}

/**
 * Returns the sizes to make, smallest first, never larger than the original: a small video is converted once, at its
 * own size.
 */
export function planRenditions(facts: VideoFacts): Size[] {
  const short = Math.min(facts.width, facts.height);
  const sides = shortSides.filter((side) => side <= short);
  if (sides.length === 0) return [{ width: evenBelow(facts.width), height: evenBelow(facts.height) }];
  return sides.map((side) => scale(facts, side / short));
}

/** H.264 supports even sizes only, and nothing is enlarged. */
function evenBelow(length: number): number {
  return Math.max(2, length - (length % 2));
}

export function planPoster(facts: VideoFacts): Size {
  return scale(facts, Math.min(1, maxPosterWidth / facts.width));
}

interface ProbedStream {
  codec_type?: string;
  width?: number;
  height?: number;
  duration?: string;
  disposition?: { attached_pic?: number };
  tags?: { rotate?: string };
  side_data_list?: { rotation?: number }[];
}

interface Probed {
  streams?: ProbedStream[];
  format?: { duration?: string };
}

function readSeconds(text: string | undefined): number | null {
  const seconds = Number(text);
  return text !== undefined && Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1000) / 1000 : null;
}

/** Parses the JSON output of ffprobe; returns null when the file has no video stream. */
export function readProbe(json: string): VideoFacts | null {
  const { streams = [], format } = JSON.parse(json) as Probed;
  const video = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic);
  if (!video?.width || !video.height) return null;
  const rotation =
    video.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? video.tags?.rotate ?? 0;
  const turned = Math.abs(Number(rotation)) % 180 === 90;
  const [width, height] = turned ? [video.height, video.width] : [video.width, video.height];
  return { width, height, duration: readSeconds(format?.duration) ?? readSeconds(video.duration) };
}
