import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** The part of an image's configuration that our Dockerfile sets, with the names of the OCI image specification. */
export interface ImageConfig {
  Env?: string[];
  Labels?: Record<string, string>;
  User?: string;
  WorkingDir?: string;
  Entrypoint?: string[];
  Cmd?: string[];
  ExposedPorts?: Record<string, object>;
  Healthcheck?: { Test: string[] };
}

/** Packs one layer reproducibly: names in order, one date. */
function packLayer(root: string, file: string): void {
  const options = [
    '--sort=name',
    '--mtime=@0',
    '--numeric-owner',
    '--one-file-system',
    '--exclude=./proc/*',
    '--exclude=./dev/*',
    '--exclude=./.complete',
  ];
  execFileSync('tar', [...options, '-C', root, '-cf', file, '.']);
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function measureCompressed(file: string): Promise<number> {
  let bytes = 0;
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  await pipeline(createReadStream(file), createGzip({ level: 6 }), count);
  return bytes;
}

/**
 * Writes the files of `root` as an image of one layer, in the archive format that container engines load. Returns its
 * size as files and compressed.
 */
export async function writeImage(name: string, root: string, config: ImageConfig, out: string) {
  const work = mkdtempSync(`${out}-`);
  try {
    const layer = path.join(work, 'layer.tar');
    packLayer(root, layer);
    const image = {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: [`sha256:${await hashFile(layer)}`] },
    };
    writeFileSync(path.join(work, 'config.json'), JSON.stringify(image));
    writeFileSync(
      path.join(work, 'manifest.json'),
      JSON.stringify([{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }]),
    );
    execFileSync('tar', ['-C', work, '-cf', out, 'manifest.json', 'config.json', 'layer.tar']);
    return { bytes: statSync(layer).size, compressedBytes: await measureCompressed(layer) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
