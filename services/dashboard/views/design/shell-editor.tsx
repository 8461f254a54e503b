import type { ShouldBlockFn } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { may, useMe } from '../../app/session.ts';
import { strings as shellStrings } from '../../app/strings.ts';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { BinaryFile } from './binary-file.tsx';
import type { PlacedFile } from './file-actions.ts';
import { FileEditor } from './file-editor.tsx';
import { languageOf, type ShellFile } from './files.ts';
import { FilesPane } from './files-pane.tsx';
import { useTemplateGuide } from './guide.ts';
import { PathDialog } from './path-dialog.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { isUnsaved } from './shell-session.ts';
import { strings } from './strings.ts';
import { folderOf } from './tree-model.ts';
import { useDesignCommands } from './use-design-commands.ts';
import { useShellPreview } from './use-shell-preview.ts';
import { useWorkspace } from './workspace.ts';

type Pane = 'files' | 'code' | 'preview';

const panes: readonly { value: Pane; label: string }[] = [
  { value: 'files', label: strings.filesShort },
  { value: 'code', label: strings.code },
  { value: 'preview', label: strings.preview },
];

type Asked = { kind: 'create' } | { kind: 'rename'; path: string };

/** The files of a shell: the tree, the editor and the preview. */
export function ShellEditor({ site, stored }: { site: string; stored: readonly ShellFile[] }) {
  const mayWrite = may(useMe(), 'shell.write', site) !== 'none';
  const workspace = useWorkspace(site);
  const { session, files, binaries, current, show, actions, save, saveAll, ready, edit } = workspace;
  const { data: guide } = useTemplateGuide(site);
  const [pane, setPane] = useState<Pane>('code');
  const [isPreviewShown, setPreviewShown] = useState(true);
  const [asked, setAsked] = useState<Asked>();
  const paths = useMemo(() => stored.map(({ path }) => path), [stored]);
  const unsaved = useMemo(() => new Set([...files.values()].filter(isUnsaved).map(({ path }) => path)), [files]);
  const preview = useShellPreview(site, stored, files, isPreviewShown);
  const open = (path: string) => {
    void show(path);
    setPane('code');
  };
  const isDirty = useCallback(() => session.unsaved().length > 0, [session]);
  const mustAsk: ShouldBlockFn = useCallback(
    ({ current: from, next }) => from.pathname !== next.pathname && isDirty(),
    [isDirty],
  );
  const remove = (path: string) => void actions.remove(path).catch(notifyProblem);
  const upload = (chosen: readonly PlacedFile[]) => void actions.upload(chosen).catch(notifyProblem);
  const move = (moved: readonly string[], to: string) => void actions.moveInto(to, moved).catch(notifyProblem);
  const drops = { onMove: move, onUpload: upload };
  const create = () => setAsked({ kind: 'create' });
  const togglePreview = () => setPreviewShown((isShown) => !isShown);
  const rename = (path: string) => setAsked({ kind: 'rename', path });
  useEffect(() => {
    document.title = shellStrings.documentTitle(current ?? strings.title);
  }, [current]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current && current === undefined && paths.includes('home.twig')) void show('home.twig');
    isFirst.current = false;
  }, [current, paths, show]);
  useDesignCommands({
    site,
    paths,
    current,
    mayWrite,
    open: (path) => edit({ file: path }),
    save,
    saveAll,
    create,
    togglePreview,
  });
  const binary = stored.find(
    ({ path }) => path === current && !files.has(path) && (!languageOf(path) || binaries.has(path)),
  );
  const folder = folderOf(current ?? '');

  return (
    <div className="design" data-pane={pane} data-preview={isPreviewShown || undefined}>
      <div className="design-panes">
        <Choice label={strings.panes} value={pane} options={panes} onChange={setPane} />
      </div>
      <FilesPane
        site={site}
        tree={{
          paths,
          current,
          unsaved,
          onOpen: open,
          ...(mayWrite ? { onRename: rename, onRemove: remove, drops } : {}),
        }}
        isPreviewShown={isPreviewShown}
        onTogglePreview={togglePreview}
        onCreate={mayWrite ? create : undefined}
        onUpload={mayWrite ? (chosen) => upload(chosen.map((file) => ({ path: folder + file.name, file }))) : undefined}
      />
      <section className="design-code" aria-label={strings.code}>
        {current === undefined && <EmptyState title={strings.chooseTitle} text={strings.chooseText} />}
        {binary && (
          <BinaryFile
            site={site}
            file={binary}
            onRename={mayWrite ? () => rename(binary.path) : undefined}
            onRemove={mayWrite ? () => remove(binary.path) : undefined}
          />
        )}
        {[...files.values()].map((file) => (
          <FileEditor
            key={file.path}
            session={session}
            file={file}
            mayWrite={mayWrite}
            isShown={file.path === current}
            faults={preview.faultsOf(file.path)}
            guide={guide}
            paths={paths}
            onReady={ready}
            onSave={() => void save(file.path)}
            onRename={() => rename(file.path)}
            onRemove={() => remove(file.path)}
          />
        ))}
      </section>
      {isPreviewShown && (
        <PreviewPane
          site={site}
          preview={preview}
          onGoTo={(place) => {
            setPane('code');
            edit(place);
          }}
        />
      )}
      {asked && (
        <PathDialog
          title={asked.kind === 'create' ? strings.newFileTitle : strings.renameTitle(asked.path)}
          submit={asked.kind === 'create' ? strings.create : strings.rename}
          initial={asked.kind === 'create' ? folder : asked.path}
          send={(path) => (asked.kind === 'create' ? actions.create(path) : actions.rename(asked.path, path))}
          onClose={(path) => {
            setAsked(undefined);
            if (path === undefined || asked.kind !== 'create') return;
            setPane('code');
            edit({ file: path });
          }}
        />
      )}
      <LeaveGuard isDirty={isDirty} mustAsk={mustAsk} text={`${strings.leaveText} ${[...unsaved].join(', ')}`} />
    </div>
  );
}
