import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  FfmpegFailed,
  FfmpegTooSlow,
  findFfmpeg,
  runProgram,
} from '../../../services/features/media/process/ffmpeg.ts';

let folder: string;
const program = (name: string) => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ffmpeg-test-'));
  for (const name of ['ffmpeg', 'ffprobe']) {
    writeFileSync(program(name), '#!/bin/sh\n');
    chmodSync(program(name), 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('findFfmpeg', () => {
  test('takes the setting, with ffprobe beside it', () => {
    expect(findFfmpeg(program('ffmpeg'))).toEqual({ ffmpeg: program('ffmpeg'), ffprobe: program('ffprobe') });
  });

  test('does not look further when the setting names nothing', () => {
    expect(findFfmpeg(program('none'), folder)).toBeNull();
  });

  test('looks on PATH', () => {
    expect(findFfmpeg(undefined, `/nowhere:${folder}`)).toEqual({
      ffmpeg: program('ffmpeg'),
      ffprobe: program('ffprobe'),
    });
  });
});

describe('runProgram', () => {
  const options = (timeoutMs = 60_000, signal = new AbortController().signal) => ({ timeoutMs, signal });

  test('answers what was written, and gives none of our settings', async () => {
    process.env['FIELDSTONE_SECRET_KEY'] = 'hidden';
    const output = await runProgram('/bin/sh', ['-c', 'env; echo done'], options());
    expect(output).toContain('done');
    expect(output).not.toContain('hidden');
    delete process.env['FIELDSTONE_SECRET_KEY'];
  });

  test('tells a refused file from a program that is too slow and from a cancelled one', async () => {
    await expect(runProgram('/bin/sh', ['-c', 'echo broken >&2; exit 1'], options())).rejects.toThrow(FfmpegFailed);
    await expect(runProgram('/bin/sleep', ['60'], options(50))).rejects.toThrow(FfmpegTooSlow);
    const cancelled = new AbortController();
    const running = runProgram('/bin/sleep', ['60'], options(60_000, cancelled.signal));
    cancelled.abort(new Error('purged'));
    await expect(running).rejects.toThrow('purged');
  });

  test('says so when there is no such program', async () => {
    await expect(runProgram(program('none'), [], options())).rejects.toThrow();
  });
});
