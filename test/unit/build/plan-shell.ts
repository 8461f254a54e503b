import { planAssets } from '../../../services/build/assets.ts';
import { createLinkReader, type LinkReaderDeps } from '../../../services/build/link-reader.ts';
import type { ShellInput } from '../../../services/build/model.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';

const noThreads: LinkReaderDeps['threads'] = { run: () => Promise.reject(new Error('There is no thread.')) };

/** The public files of a shell with these texts, and the text that is published of each. */
export async function planShell(files: Record<string, string>, threads = noThreads, check = () => undefined) {
  const bytes = new Map<string, Buffer>(Object.values(files).map((text) => [hashBytes(text), Buffer.from(text)]));
  const shell: ShellInput[] = Object.entries(files).map(([path, text]) => ({
    path,
    hash: hashBytes(text),
    bytes: text.length,
    content_type: 'text/plain',
  }));
  const stores: number[] = [];
  const objects: LinkReaderDeps['objects'] = {
    getBytes: async (hash) => bytes.get(hash)!,
    async putMany(blobs) {
      stores.push(blobs.reduce((sum, { length }) => sum + length, 0));
      for (const data of blobs) bytes.set(hashBytes(data), data);
      return [];
    },
  };
  const links = createLinkReader({ objects, threads }, { key: 'site', check });
  const assets = await planAssets(shell, links);
  return { assets, textOf: (path: string) => bytes.get(assets.get(path)!.hash)!.toString(), stores };
}
