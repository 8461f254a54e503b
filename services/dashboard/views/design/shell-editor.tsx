import { Link } from '@tanstack/react-router';
import FilePlus from 'lucide-react/icons/file-plus';
import History from 'lucide-react/icons/history';
import PanelRight from 'lucide-react/icons/panel-right';
import Upload from 'lucide-react/icons/upload';
import { useEffect, useMemo, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { may, useMe } from '../../app/session.ts';
import { strings as shellStrings } from '../../app/strings.ts';
import { IconButton } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { BinaryFile } from './binary-file.tsx';
import { readFault } from './faults.ts';
import { FileEditor } from './file-editor.tsx';
import { FileTree } from './file-tree.tsx';
import { languageOf, type ShellFile } from './files.ts';
import { useTemplateGuide } from './guide.ts';
import { Leaving } from './leaving.tsx';
import { PathDialog } from './path-dialog.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { isUnsaved, type OpenFiles } from './shell-session.ts';
import { strings } from './strings.ts';
import { folderOf } from './tree-model.ts';
import { useDesignCommands } from './use-design-commands.ts';
import { type Texts, usePreview } from './use-preview.ts';
import { useWorkspace } from './workspace.ts';

type Pane = 'files' | 'code' | 'preview';

const panes: readonly { value: Pane; label: string }[] = [
  { value: 'files', label: strings.filesShort },
  { value: 'code', label: strings.code },
  { value: 'preview', label: strings.preview },
];

/** What the preview is made of: the unsaved texts, or some text if there are none, and a key that changes with any file. */
function previewInput(stored: readonly ShellFile[], files: OpenFiles, extra: number): { key: string; texts: Texts } {
  const open = [...files.values()];
  const unsaved = open.filter(isUnsaved);
  const sent = unsaved.length > 0 ? unsaved : open.slice(0, 1);
  const versions = stored.map(({ path, sha256 }) => {
    const file = files.get(path);
    return [path, file && isUnsaved(file) ? file.text : (file?.stored?.etag ?? `"${sha256}"`)];
  });
  return {
    key: JSON.stringify([extra, versions]),
    texts: Object.fromEntries(sent.map(({ path, text }) => [path, text])),
  };
}

type Asked = { kind: 'create' } | { kind: 'rename'; path: string };

/** The files of a shell: the tree, the editor and the preview. */
export function ShellEditor({ site, stored }: { site: string; stored: readonly ShellFile[] }) {
  const mayWrite = may(useMe(), 'shell.write', site) !== 'none';
  const workspace = useWorkspace(site);
  const { session, files, binaries, current, show, actions, save, saveAll, ready, edit } = workspace;
  const { data: guide } = useTemplateGuide(site);
  const [pane, setPane] = useState<Pane>('code');
  const [isPreviewShown, setPreviewShown] = useState(true);
  const [refreshes, setRefreshes] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const paths = useMemo(() => stored.map(({ path }) => path), [stored]);
  const unsaved = useMemo(() => new Set([...files.values()].filter(isUnsaved).map(({ path }) => path)), [files]);
  const input = useMemo(() => previewInput(stored, files, refreshes), [stored, files, refreshes]);
  const preview = usePreview(site, input.key, input.texts, isPreviewShown);
  const fault = useMemo(() => readFault(preview.problem?.message ?? ''), [preview.problem]);
  const faultsOf = useMemo(() => {
    const warnings = [...files.values()].filter((file) => !isUnsaved(file)).flatMap((file) => file.warnings);
    const all = fault ? [fault] : warnings.map(({ message }) => readFault(message)).filter((one) => one !== null);
    const byFile = new Map(paths.map((path) => [path, all.filter((one) => one.file === path)]));
    return (path: string) => byFile.get(path) ?? [];
  }, [fault, files, paths]);
  const open = (path: string) => {
    void show(path);
    setPane('code');
  };
  const remove = (path: string) => void actions.remove(path).catch(notifyProblem);
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
    create: () => setAsked({ kind: 'create' }),
    togglePreview: () => setPreviewShown((isShown) => !isShown),
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
      <section className="design-files" aria-label={strings.files}>
        <header className="pane-head">
          <h1>{strings.title}</h1>
          {mayWrite && (
            <>
              <IconButton label={strings.newFile} onPress={() => setAsked({ kind: 'create' })}>
                <FilePlus aria-hidden size={16} />
              </IconButton>
              <FileTrigger
                allowsMultiple
                onSelect={(chosen) => void actions.upload(folder, [...(chosen ?? [])]).catch(notifyProblem)}
              >
                <IconButton label={strings.upload}>
                  <Upload aria-hidden size={16} />
                </IconButton>
              </FileTrigger>
            </>
          )}
          <Link to={`/sites/${site}/design/snapshots`} className="icon-button" aria-label={strings.openSnapshots}>
            <History aria-hidden size={16} />
          </Link>
          <span className="only-wide">
            <IconButton
              label={isPreviewShown ? strings.hidePreview : strings.showPreview}
              onPress={() => setPreviewShown(!isPreviewShown)}
            >
              <PanelRight aria-hidden size={16} />
            </IconButton>
          </span>
        </header>
        {stored.length === 0 ? (
          <EmptyState title={strings.noFiles} text={strings.noFilesText} />
        ) : (
          <FileTree
            paths={paths}
            current={current}
            unsaved={unsaved}
            onOpen={open}
            {...(mayWrite ? { onRename: rename, onRemove: remove } : {})}
          />
        )}
      </section>
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
            faults={faultsOf(file.path)}
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
          onRefresh={() => setRefreshes(refreshes + 1)}
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
      <Leaving session={session} />
    </div>
  );
}
