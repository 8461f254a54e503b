import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { type Page, pageOf, rest } from '../../app/api.ts';
import { Problem, toProblem } from '../../app/problem.ts';
import type { CodeLanguage } from '../../parts/code-editor/types.ts';
import type { FileRequests, WrittenFile } from './shell-session.ts';
import { strings } from './strings.ts';

export type ShellFile = components['schemas']['ShellFile'];

export const filesKey = (site: string) => ['shell', site, 'files'] as const;

/** The files of a site's shell, by path. */
export const useShellFiles = (site: string) =>
  useQuery({
    queryKey: filesKey(site),
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        pageOf(
          rest.GET('/sites/{site}/shell/files', { params: { path: { site }, query: { page, per_page: 100 } }, signal }),
        );
      const first = await read(1);
      const later: Page<ShellFile>[] = [];
      for (let page = 2; page <= first.pagination.total_pages; page++) later.push(await read(page));
      return [first, ...later].flatMap(({ data }) => data);
    },
  });

/** Reads everything of the shell again: files, snapshots and differences. */
export const refreshShell = (client: QueryClient, site: string) =>
  client.invalidateQueries({ queryKey: ['shell', site] });

const filePath = '/sites/{site}/shell/file/{path}';

/** Reads the bytes of a file with its version. Rejects with `not_found`. */
export async function readBytes(site: string, path: string): Promise<{ bytes: ArrayBuffer; etag: string }> {
  const { data, response } = await rest.GET(filePath, { params: { path: { site, path } }, parseAs: 'arrayBuffer' });
  return { bytes: data as unknown as ArrayBuffer, etag: response.headers.get('ETag')! };
}

/** Writes a file. `expected` is the version that it replaces, or null if the file must not exist; without it any version is replaced. */
export async function writeBytes(
  site: string,
  path: string,
  bytes: BodyInit,
  expected?: string | null,
): Promise<WrittenFile> {
  const condition =
    expected === null ? { 'If-None-Match': '*' } : expected === undefined ? {} : { 'If-Match': expected };
  const { data, response } = await rest.PUT(filePath, {
    params: { path: { site, path } },
    headers: { 'Content-Type': 'application/octet-stream', ...condition },
    body: bytes as string,
    bodySerializer: (body: unknown) => body as BodyInit,
  });
  return { etag: response.headers.get('ETag')!, warnings: data!.data.warnings };
}

export async function deleteFile(site: string, path: string, expected?: string): Promise<void> {
  const headers = expected === undefined ? {} : { 'If-Match': expected };
  await rest.DELETE(filePath, { params: { path: { site, path } }, headers });
}

/** The code of the Problem of a file that is not UTF-8, whatever its name says. */
export const notText = 'not_text';

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(strings.omitted.binary, { code: notText, status: 0 });
  }
}

/** The calls of a session of editing. Reading rejects with `notText`. */
export const createFileRequests = (site: string): FileRequests => ({
  async read(path) {
    try {
      const { bytes, etag } = await readBytes(site, path);
      return { text: decode(bytes), etag };
    } catch (error) {
      if (toProblem(error).status === 404) return null;
      throw error;
    }
  },
  write: (path, text, expected) => writeBytes(site, path, text, expected),
});

const languages: Readonly<Record<string, CodeLanguage>> = {
  twig: 'twig',
  css: 'css',
  js: 'js',
  json: 'json',
  svg: 'html',
};

/** The language of a file that is edited as text; undefined for images and fonts. */
export const languageOf = (path: string): CodeLanguage | undefined =>
  languages[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
