import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { FieldstoneError } from '../../../client/errors.ts';
import { Problem } from '../../../core/errors.ts';
import { readThemeFolder } from '../../../features/shell/index.ts';
import type { RemoteClient } from '../../remote/connection.ts';
import { ServiceUnreachable, toSentence } from '../../run-command.ts';
import { packTheme } from '../theme.ts';

/** An error of a theme, at a line of one of its files if it has one. */
export interface ThemeFault {
  message: string;
  place: { file: string; line: number } | null;
  /** The lines around it, with their numbers. */
  excerpt: { line: number; text: string }[];
}

/** The state of the preview: the URL of its root, or what is wrong with the theme. */
export type Preview = { url: string; fault: null } | { url: null; fault: ThemeFault };

const linesAround = 3;
const placePattern = /([\w./-]+\.twig), line (\d+)/;

/** Describes an error of a preview. `folder` has the theme's files. */
export async function describeFault(folder: string, message: string): Promise<ThemeFault> {
  const [, file, number] = placePattern.exec(message) ?? [];
  if (!file) return { message, place: null, excerpt: [] };
  const line = Number(number);
  const text = await readFile(path.join(folder, file), 'utf8').catch(() => ''); // of a component, or removed meanwhile
  const first = Math.max(1, line - linesAround);
  const lines = text.split('\n').slice(first - 1, line + linesAround);
  const excerpt = text === '' ? [] : lines.map((one, index) => ({ line: first + index, text: one }));
  return { message, place: { file, line }, excerpt };
}

/** Returns whether the theme is at fault, so that a change of a file fixes it. */
const isOfTheme = (error: unknown): boolean =>
  error instanceof Problem || (error instanceof FieldstoneError && [413, 422].includes(error.status));

/** Returns whether the service is unavailable or busy: the next change of a file tries again. */
const mayPass = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof FieldstoneError && (error.status === 429 || error.status >= 500));

/**
 * Renders the site with the theme in a folder. Throws what no change of the theme can fix, such as an unknown site or a
 * key without the right; with `isFirst` also when the service is unavailable.
 */
export async function makePreview(
  client: RemoteClient,
  { site, folder, isFirst }: { site: string; folder: string; isFirst: boolean },
): Promise<Preview> {
  try {
    const body = await packTheme(readThemeFolder(folder, () => undefined));
    const { data } = await client.call('previewShellArchive', { site, body });
    return { url: data.url, fault: null };
  } catch (error) {
    if (!isOfTheme(error) && (isFirst || !mayPass(error))) throw error;
    return { url: null, fault: await describeFault(folder, toSentence(error)) };
  }
}
