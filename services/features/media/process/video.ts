import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Variant } from '../row.ts';
import { type Ffmpeg, FfmpegFailed, runProgram } from './ffmpeg.ts';
import { planPoster, planRenditions, readProbe, type Size, type VideoFacts } from './video-plan.ts';

export interface VideoFile {
  format: 'mp4' | 'jpeg';
  width: number;
  height: number;
  file: string;
}

export interface VideoJob {
  tools: Ffmpeg;
  input: string;
  folder: string;
  signal: AbortSignal;
}

const probeTimeoutMs = 60_000;
const posterTimeoutMs = 2 * 60_000;
const renditionMinMs = 10 * 60_000;
/** Converting may take this many times the video's duration. */
const slowestFactor = 30;
const renditionMaxMs = 5 * 60 * 60_000;
const maxPixels = 50_000_000;

/**
 * Allows only known video formats and the file protocol: a disguised playlist must not make ffmpeg open other files or
 * URLs.
 */
const guarded = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,ogg,flv,asf',
];
const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-max_alloc', String(512 * 1024 * 1024)];

/** Reads size and duration. Throws FfmpegFailed for a file that is not a video. */
export async function probeVideo({ tools, input, signal }: VideoJob): Promise<VideoFacts> {
  const shown = ['-show_format', '-show_streams', '-of', 'json'];
  const args = ['-hide_banner', '-loglevel', 'error', ...guarded, ...shown, `file:${input}`];
  const facts = readProbe(await runProgram(tools.ffprobe, args, { signal, timeoutMs: probeTimeoutMs }));
  if (!facts) throw new FfmpegFailed('The file has no video stream.');
  if (facts.width * facts.height > maxPixels) throw new FfmpegFailed('The frames of the video are too large.');
  return facts;
}

const scaleTo = ({ width, height }: Size) => `scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p`;

/** Makes a poster from near the beginning, but not the first frame, which is often black. */
export async function makePoster(job: VideoJob, facts: VideoFacts): Promise<VideoFile> {
  const size = planPoster(facts);
  const file = path.join(job.folder, 'poster.jpg');
  const at = Math.min(1, (facts.duration ?? 0) / 3);
  const frame = ['-map', '0:v:0', '-frames:v', '1', '-vf', scaleTo(size).replace('yuv420p', 'yuvj420p'), '-q:v', '4'];
  const seek = at > 0 ? ['-ss', at.toFixed(2)] : [];
  const args = [...quiet, '-y', ...guarded, ...seek, '-i', `file:${job.input}`, ...frame, '-map_metadata', '-1', file];
  await runProgram(job.tools.ffmpeg, args, { signal: job.signal, timeoutMs: posterTimeoutMs });
  return { format: 'jpeg', ...size, file };
}

/** Makes one rendition that every browser supports and that starts to play before it is fully loaded. */
async function makeRendition(job: VideoJob, facts: VideoFacts, size: Size): Promise<VideoFile> {
  const file = path.join(job.folder, `${size.height}.mp4`);
  const picture = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high', '-vf', scaleTo(size)];
  const sound = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2'];
  const clean = ['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  const container = ['-movflags', '+faststart', '-max_muxing_queue_size', '1024', '-threads', '2', '-f', 'mp4'];
  const args = [
    ...quiet,
    '-y',
    ...guarded,
    '-i',
    `file:${job.input}`,
    ...clean,
    ...picture,
    ...sound,
    ...container,
    file,
  ];
  const expectedMs = (facts.duration ?? 0) * 1000 * slowestFactor;
  const timeoutMs = Math.min(Math.max(expectedMs, renditionMinMs), renditionMaxMs);
  await runProgram(job.tools.ffmpeg, args, { signal: job.signal, timeoutMs });
  if ((await stat(file)).size === 0) throw new FfmpegFailed('The output is empty.');
  return { format: 'mp4', ...size, file };
}

/** Makes the missing renditions one after another and yields each when it is finished. */
export async function* makeRenditions(
  job: VideoJob,
  facts: VideoFacts,
  made: readonly Variant[],
): AsyncGenerator<VideoFile> {
  for (const size of planRenditions(facts)) {
    const there = made.some(
      ({ format, width, height }) => format === 'mp4' && width === size.width && height === size.height,
    );
    if (!there) yield await makeRendition(job, facts, size);
  }
}
