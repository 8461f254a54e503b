/**
 * Measures two ratios, each in one run (issue: Speed). Variants: the time of our image step, child process included,
 * relative to bare sharp making the same outputs; the aim is at most 1.15. Upload: 100 MiB through the gateway relative
 * to a PUT of the same bytes directly to the object store; the aim is at least 0.6. Needs a stack, which `npm run bench
 * -- media` provides.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { planWidths } from '../../services/features/media/process/image-plan.ts';
import { createImageProcesses } from '../../services/features/media/process/image-process.ts';
import { closeStack, makeSite, stack, stackConfig } from '../harness/api.ts';
import { picture } from '../harness/media.ts';
import { figure } from './report/figure.ts';

const rounds = 3;
const mebibyte = 1024 * 1024;
const uploadBytes = 100 * mebibyte;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** A photo of 12 megapixels, with enough detail to keep encoders busy. */
const photo = () =>
  picture(4000, 3000)
    .composite([
      {
        input: {
          create: {
            width: 4000,
            height: 3000,
            channels: 3,
            background: 'gray',
            noise: { type: 'gaussian', mean: 128, sigma: 12 },
          },
        },
        blend: 'overlay',
      },
    ])
    .jpeg({ quality: 90 })
    .toBuffer();

const bareEncoders = {
  webp: (image: Sharp) => image.webp({ quality: 80 }),
  jpeg: (image: Sharp) => image.jpeg({ quality: 80, progressive: true }),
  avif: (image: Sharp) => image.avif({ quality: 50, effort: 3 }),
};

/** Makes only these files, in the simplest way: every output from the original, with one task per core. */
async function bareSharp(input: string, folder: string): Promise<void> {
  const outputs = Object.entries(bareEncoders).flatMap(([format, encode]) =>
    planWidths(4000).map(
      (width) => () =>
        encode(sharp(input).autoOrient().resize({ width })).toFile(path.join(folder, `${width}.${format}`)),
    ),
  );
  const queue = outputs.reverse().values();
  const lane = async () => {
    for (const output of queue) await output();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

async function benchVariants(): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'bench-media-'));
  const input = path.join(root, 'photo.jpg');
  await writeFile(input, await photo());
  const images = createImageProcesses(10 * 60_000);
  const ours: number[] = [];
  const bare: number[] = [];
  const folder = async (name: string) => {
    const made = path.join(root, name);
    await mkdir(made);
    return made;
  };
  for (let round = 0; round < rounds; round++) {
    bare.push(await seconds(async () => bareSharp(input, await folder(`bare-${round}`))));
    ours.push(
      await seconds(async () => {
        for (const step of ['variants', 'avif'] as const) {
          const job = { input, folder: await folder(`${step}-${round}`), step, maxPixels: 50_000_000 };
          await images.run(job, { signal: AbortSignal.timeout(10 * 60_000) });
        }
      }),
    );
    console.log(
      `variants, round ${round + 1}: ours ${ours.at(-1)!.toFixed(2)} s, bare sharp ${bare.at(-1)!.toFixed(2)} s`,
    );
  }
  figure(
    'variants of a 12-megapixel JPEG, time of bare sharp',
    `${(median(ours) / median(bare)).toFixed(2)} ×`,
    '≤ 1.15 ×',
  );
  images.close();
  await rm(root, { recursive: true, force: true });
}

/** Uploads a form, written block by block. */
function uploadForm(url: string, key: string, file: Buffer): Promise<void> {
  const boundary = 'bench';
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    'X-API-Key': key,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': head.length + file.length + tail.length,
  };
  const req = http.request(url, { method: 'POST', headers }, (res) => {
    res.resume();
    res.on('end', () =>
      res.statusCode === 201 ? resolve() : reject(new Error(`The upload answered ${res.statusCode}.`)),
    );
  });
  req.on('error', reject);
  req.write(head);
  req.write(file);
  req.end(tail);
  return promise;
}

async function benchUpload(): Promise<void> {
  const site = await makeSite();
  const store = openKeyedStore(stackConfig().objects);
  const url = `${stack.gateways[0]}/api/v1/sites/${site.slug}/media`;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // different bytes each time, because bytes that are stored already are not stored again
    const file = randomBytes(uploadBytes);
    bare.push(await seconds(() => store.put(`bench/${round}`, file)));
    await store.remove([`bench/${round}`]);
    ours.push(await seconds(() => uploadForm(url, site.key, file)));
    console.log(`upload, round ${round + 1}: ours ${ours.at(-1)!.toFixed(2)} s, bare PUT ${bare.at(-1)!.toFixed(2)} s`);
  }
  figure("upload of 100 MiB, of the bare object store's PUT", (median(bare) / median(ours)).toFixed(2), '0.6');
  await closeStack();
}

await benchUpload();
await benchVariants();
