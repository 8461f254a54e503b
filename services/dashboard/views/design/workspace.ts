import type { EditorView } from '@codemirror/view';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { toProblem } from '../../app/problem.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { createFileActions } from './file-actions.ts';
import { createFileRequests, filesKey, languageOf, notText, refreshShell, type ShellFile } from './files.ts';
import { ShellSession } from './shell-session.ts';
import { strings } from './strings.ts';

const listOf = (client: QueryClient, site: string) => client.getQueryData<ShellFile[]>(filesKey(site)) ?? [];

/** The path of the file that is shown, as a part of the URL. */
function useCurrentFile(): [string | undefined, (path: string | undefined) => Promise<void>] {
  const { file } = useSearch({ strict: false }) as { file?: unknown };
  const navigate = useNavigate();
  const show = useCallback(
    (path: string | undefined) =>
      navigate({ to: '.', search: (path === undefined ? {} : { file: path }) as never, replace: true }),
    [navigate],
  );
  return [file === undefined ? undefined : String(file), show];
}

/** Where the cursor goes; without a line it stays where it is in the file. */
type Place = { file: string; line?: number };

/** Moves the focus to lines of files in their editors, also of one that is not open yet. */
function useLines() {
  const views = useRef(new Map<string, EditorView>());
  const wanted = useRef<Place>(undefined);
  const reveal = useCallback(() => {
    const view = views.current.get(wanted.current?.file ?? '');
    if (!view || !wanted.current) return;
    const { line } = wanted.current;
    wanted.current = undefined;
    if (line !== undefined) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    }
    view.focus();
  }, []);
  const ready = useCallback(
    (path: string, view: EditorView) => {
      views.current.set(path, view);
      reveal();
      return () => void views.current.delete(path);
    },
    [reveal],
  );
  const goTo = useCallback(
    (place: Place) => {
      wanted.current = place;
      // after the editor is shown, and a dialog or the palette has closed
      requestAnimationFrame(() => requestAnimationFrame(reveal));
    },
    [reveal],
  );
  return { ready, goTo };
}

/** Everything that the page of a shell does: the open files, which one is shown, and what is done with files. */
export function useWorkspace(site: string) {
  const client = useQueryClient();
  const [session] = useState(() => new ShellSession(createFileRequests(site)));
  const files = useSyncExternalStore(session.subscribe, session.files);
  const [current, show] = useCurrentFile();
  const { ready, goTo } = useLines();
  const shown = useRef(current);
  shown.current = current;
  const actions = useMemo(
    () =>
      createFileActions({
        client,
        site,
        session,
        list: () => listOf(client, site),
        async onMoved(from, to) {
          if (shown.current === from) await show(to);
        },
      }),
    [client, site, session, show],
  );
  const [binaries, setBinaries] = useState<ReadonlySet<string>>(new Set());
  const isOpen = current !== undefined && files.has(current);
  useEffect(() => {
    if (current === undefined || isOpen || !languageOf(current)) return;
    session.open(current).then(
      (exists) => {
        if (!exists && shown.current === current) void show(undefined);
      },
      (error: unknown) => {
        if (toProblem(error).code === notText) setBinaries((before) => new Set(before).add(current));
        else notifyProblem(error);
      },
    );
  }, [session, current, isOpen, show]);
  const save = useCallback(
    async (path: string | undefined) => {
      if (path === undefined) return;
      const isSaved = await session.save(path);
      // also after a failure: the session may have ended, or others have changed files
      await refreshShell(client, site);
      if (isSaved) notify(strings.saved(path));
    },
    [session, client, site],
  );
  const saveAll = useCallback(async () => {
    const { saved, failed } = await session.saveAll();
    await refreshShell(client, site);
    if (failed.length > 0) await show(failed[0]);
    if (saved.length + failed.length > 0)
      notify(failed.length > 0 ? strings.notSavedFiles(failed) : strings.savedAll(saved.length));
  }, [session, client, site, show]);
  const edit = useCallback(
    (place: Place) => {
      void show(place.file);
      goTo(place);
    },
    [show, goTo],
  );
  return { session, files, binaries, current, show, actions, save, saveAll, ready, edit };
}
