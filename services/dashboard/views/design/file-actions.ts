import type { QueryClient } from '@tanstack/react-query';
import { toProblem } from '../../app/problem.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { deleteFile, readBytes, refreshShell, type ShellFile, writeBytes } from './files.ts';
import type { ShellSession } from './shell-session.ts';
import { strings } from './strings.ts';
import { movesInto } from './tree-model.ts';

/** A file of the computer, with the path that it gets in the shell. */
export interface PlacedFile {
  path: string;
  file: File;
}

/** What is done with whole files; each can be undone. */
export interface FileActions {
  /** Creates an empty file. Rejects if it cannot be. */
  create(path: string): Promise<void>;
  /** Writes files over those that have their paths. */
  upload(files: readonly PlacedFile[]): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Moves files, and folders with everything below them, into a folder. Rejects at the first file that cannot be moved. */
  moveInto(folder: string, paths: readonly string[]): Promise<void>;
  remove(path: string): Promise<void>;
}

export function createFileActions({
  client,
  site,
  session,
  list,
  onMoved,
}: {
  client: QueryClient;
  site: string;
  session: ShellSession;
  /** The files of the shell as far as known. */
  list: () => readonly ShellFile[];
  /** Called when a file has another path or none, before its session follows: a page that shows it must not read it again. */
  onMoved: (from: string, to: string | undefined) => Promise<void>;
}): FileActions {
  const refresh = () => refreshShell(client, site);
  const undoing = (work: () => Promise<unknown>) => ({ undo: () => void work().then(refresh, notifyProblem) });

  async function move(from: string, to: string): Promise<void> {
    const { bytes, etag } = await readBytes(site, from);
    const written = await writeBytes(site, to, bytes, null);
    try {
      await deleteFile(site, from, etag);
    } catch (error) {
      // another user has changed the file since it was read: the copy lacks that
      if (toProblem(error).status === 412) await deleteFile(site, to, written.etag);
      throw error;
    }
    await onMoved(from, to);
    session.rename(from, to, { text: new TextDecoder().decode(bytes), etag: written.etag });
    await refresh();
  }

  /** Writes a file over what is there; returns what undoes it. */
  async function put(path: string, bytes: File): Promise<() => Promise<unknown>> {
    const before = list().some((file) => file.path === path) ? await readBytes(site, path) : null;
    const { etag } = await writeBytes(site, path, bytes, before ? before.etag : null);
    const unsaved = session.unsavedText(path);
    session.close(path);
    return async () => {
      const later = session.unsavedText(path) ?? unsaved;
      await (before ? writeBytes(site, path, before.bytes, etag) : deleteFile(site, path, etag));
      session.close(path);
      if (later !== undefined && (await session.open(path))) session.edit(path, later);
    };
  }

  return {
    async create(path) {
      await writeBytes(site, path, '', null);
      await refresh();
    },
    async upload(files) {
      const undo: (() => Promise<unknown>)[] = [];
      try {
        for (const { path, file } of files) undo.push(await put(path, file));
      } finally {
        await refresh();
        if (undo.length > 0)
          notify(
            strings.uploaded(undo.length),
            undoing(() => Promise.all(undo.map((one) => one()))),
          );
      }
    },
    async rename(from, to) {
      await move(from, to);
      notify(
        strings.renamed(to),
        undoing(() => move(to, from)),
      );
    },
    async moveInto(folder, paths) {
      const all = list().map(({ path }) => path);
      const moves = paths.flatMap((path) => movesInto(folder, path, all));
      const done: typeof moves = [];
      try {
        for (const { from, to } of moves) {
          await move(from, to);
          done.push({ from, to });
        }
      } finally {
        const undo = async () => {
          for (const { from, to } of done.reverse()) await move(to, from);
        };
        if (done.length > 0) notify(strings.moved(done.length, folder), undoing(undo));
      }
    },
    async remove(path) {
      const unsaved = session.unsavedText(path);
      const { bytes, etag } = await readBytes(site, path);
      await deleteFile(site, path, etag);
      await onMoved(path, undefined);
      session.close(path);
      await refresh();
      const restore = async () => {
        await writeBytes(site, path, bytes, null);
        await session.open(path);
        if (unsaved !== undefined) session.edit(path, unsaved);
      };
      notify(strings.removed(path), undoing(restore));
    },
  };
}
