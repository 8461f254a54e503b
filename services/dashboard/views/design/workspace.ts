import type { EditorView } from '@codemirror/view';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { createFileActions } from './file-actions.ts';
import { createFileRequests, filesKey, languageOf, refreshShell, type ShellFile } from './files.ts';
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
  const isOpen = current !== undefined && files.has(current);
  useEffect(() => {
    if (current === undefined || isOpen || !languageOf(current)) return;
    session.open(current).then((exists) => {
      if (!exists && shown.current === current) void show(undefined);
    }, notifyProblem);
  }, [session, current, isOpen, show]);
  const save = useCallback(
    async (path: string | undefined) => {
      if (path === undefined || !(await session.save(path))) return;
      await refreshShell(client, site);
      notify(strings.saved(path));
    },
    [session, client, site],
  );
  const saveAll = useCallback(async () => {
    await session.saveAll();
    await refreshShell(client, site);
  }, [session, client, site]);
  const edit = useCallback(
    (place: Place) => {
      void show(place.file);
      goTo(place);
    },
    [show, goTo],
  );
  return { session, files, current, show, actions, save, saveAll, ready, edit };
}

export type Workspace = ReturnType<typeof useWorkspace>;
