import type { EditorView } from '@codemirror/view';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import { useCallback, useEffect, useRef } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import { CodeComparison, CodeEditor, type CodeFault } from '../../parts/code-editor/index.tsx';
import { notify } from '../../parts/notify.ts';
import { languageOf } from './files.ts';
import type { TemplateGuide } from './guide.ts';
import { isUnsaved, type OpenFile, type ShellSession } from './shell-session.ts';
import { strings } from './strings.ts';
import { useTwigHelp } from './use-twig-help.ts';

function stateOf(file: OpenFile, mayWrite: boolean): string {
  if (!mayWrite) return strings.readOnly;
  if (file.isSaving) return strings.savingState;
  if (file.problem) return `${strings.notSaved} ${file.problem.message}`;
  return isUnsaved(file) ? strings.unsavedState : strings.savedState;
}

function Conflict({ session, file, onSettled }: { session: ShellSession; file: OpenFile; onSettled: () => void }) {
  useEffect(() => onSettled, [onSettled]);
  const theirs = file.conflict!.theirs;
  const take = () => {
    const mine = session.takeTheirs(file.path);
    const undo = async () => {
      if (await session.open(file.path)) session.edit(file.path, mine);
    };
    notify(strings.tookTheirs(file.path), { undo: () => void undo() });
  };
  return (
    <section className="design-conflict" role="alert" aria-label={strings.conflictTitle}>
      <h3>{strings.conflictTitle}</h3>
      <p>{theirs ? strings.conflictText : strings.conflictDeleted}</p>
      <div className="buttons">
        <Button variant="primary" autoFocus onPress={() => void session.keepMine(file.path)}>
          {strings.keepMine}
        </Button>
        {theirs && <Button onPress={take}>{strings.takeTheirs}</Button>}
      </div>
      {theirs && (
        <CodeComparison
          label={strings.comparison(file.path)}
          language={languageOf(file.path) ?? 'text'}
          before={theirs.text}
          after={file.text}
        />
      )}
    </section>
  );
}

/** The buttons of a file: what is done with it as a whole. */
export function FileHead({
  path,
  state,
  onSave,
  onDiscard,
  onRename,
  onRemove,
}: {
  path: string;
  state: string;
  onSave?: (() => void) | undefined;
  onDiscard?: (() => void) | undefined;
  onRename?: (() => void) | undefined;
  onRemove?: (() => void) | undefined;
}) {
  return (
    <header className="pane-head">
      <h2>{path}</h2>
      <span className="design-state" role="status">
        {state}
      </span>
      {onDiscard && (
        <IconButton label={strings.discard} onPress={onDiscard}>
          <Undo2 aria-hidden size={15} />
        </IconButton>
      )}
      {onRename && (
        <IconButton label={strings.rename} onPress={onRename}>
          <Pencil aria-hidden size={15} />
        </IconButton>
      )}
      {onRemove && (
        <IconButton label={strings.remove} onPress={onRemove}>
          <Trash2 aria-hidden size={15} />
        </IconButton>
      )}
      {onSave && (
        <Button variant="primary" onPress={onSave}>
          {strings.save}
        </Button>
      )}
    </header>
  );
}

/** An open file of text. It stays when another one is shown, so that its history does. */
export function FileEditor({
  session,
  file,
  mayWrite,
  isShown,
  faults,
  guide,
  paths,
  onReady,
  onSave,
  onRename,
  onRemove,
}: {
  session: ShellSession;
  file: OpenFile;
  mayWrite: boolean;
  isShown: boolean;
  faults: readonly CodeFault[];
  guide: TemplateGuide | undefined;
  paths: readonly string[];
  onReady: (path: string, view: EditorView) => () => void;
  onSave: () => void;
  onRename: () => void;
  onRemove: () => void;
}) {
  const { path } = file;
  const shown = useRef<EditorView>(undefined);
  const ready = useCallback(
    (view: EditorView) => {
      shown.current = view;
      return onReady(path, view);
    },
    [onReady, path],
  );
  const focus = useCallback(() => shown.current?.focus(), []);
  const extensions = useTwigHelp(path, guide, paths);
  const isDirty = isUnsaved(file);
  const discard = () => {
    const text = session.discard(path);
    notify(strings.discarded(path), { undo: () => session.edit(path, text) });
  };
  return (
    <div className="design-file" hidden={!isShown}>
      <FileHead
        path={path}
        state={stateOf(file, mayWrite)}
        onSave={mayWrite && isDirty ? onSave : undefined}
        onDiscard={mayWrite && isDirty ? discard : undefined}
        onRename={mayWrite ? onRename : undefined}
        onRemove={mayWrite ? onRemove : undefined}
      />
      {file.conflict && <Conflict session={session} file={file} onSettled={focus} />}
      <div className="design-editor" hidden={file.conflict !== null}>
        <CodeEditor
          label={path}
          language={languageOf(path) ?? 'text'}
          value={file.text}
          onChange={(text) => session.edit(path, text)}
          isReadOnly={!mayWrite}
          faults={faults}
          {...(extensions ? { extensions } : {})}
          onReady={ready}
        />
      </div>
    </div>
  );
}
