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
/** Converting may take this many times as long as watching. */
const slowestFactor = 30;
const renditionMaxMs = 5 * 60 * 60_000;
const maxPixels = 50_000_000;

/**
 * The formats that a video may be read as, and no protocol but the file itself: a playlist in disguise must not make ffmpeg
 * open other files or addresses.
 */
const guarded = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,ogg,flv,asf',
];
const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-max_alloc', String(512 * 1024 * 1024)];

/** Reads size and duration. Throws FfmpegFailed for what is no video. */
export async function probeVideo({ tools, input, signal }: VideoJob): Promise<VideoFacts> {
  const shown = ['-show_format', '-show_streams', '-of', 'json'];
  const args = ['-hide_banner', '-loglevel', 'error', ...guarded, ...shown, `file:${input}`];
  const facts = readProbe(await runProgram(tools.ffprobe, args, { signal, timeoutMs: probeTimeoutMs }));
  if (!facts) throw new FfmpegFailed('There is no video in the file.');
  if (facts.width * facts.height > maxPixels) throw new FfmpegFailed('The pictures of the video are too large.');
  return facts;
}

const scaleTo = ({ width, height }: Size) => `scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p`;

/** One picture from near the beginning, but not the very first, which is often black. */
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

/** One rendition that every browser plays and that begins to play before it is loaded. */
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
  if ((await stat(file)).size === 0) throw new FfmpegFailed('Nothing came out.');
  return { format: 'mp4', ...size, file };
}

/** The renditions that are still missing, one after another, each as soon as it is there. */
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
