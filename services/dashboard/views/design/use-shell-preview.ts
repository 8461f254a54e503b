import { useMemo, useState } from 'react';
import { readFault, type ShellFault } from './faults.ts';
import type { ShellFile } from './files.ts';
import { isUnsaved, type OpenFiles } from './shell-session.ts';
import { type Preview, type Texts, usePreview } from './use-preview.ts';

/**
 * Returns what to render. `texts`: the unsaved texts by path. `key`: changes when the content of any file, or `refreshes`, changes.
 */
function previewInput(
  stored: readonly ShellFile[],
  files: OpenFiles,
  refreshes: number,
): { key: string; texts: Texts } {
  const unsaved = [...files.values()].filter(isUnsaved);
  const versions = stored.map(({ path, sha256 }) => {
    const file = files.get(path);
    return [path, file && isUnsaved(file) ? file.text : (file?.stored?.etag ?? `"${sha256}"`)];
  });
  return {
    key: JSON.stringify([refreshes, versions]),
    texts: Object.fromEntries(unsaved.map(({ path, text }) => [path, text])),
  };
}

export interface ShellPreview extends Preview {
  /** Where the last attempt failed; null if it worked, or if its problem names no place. */
  fault: ShellFault | null;
  refresh: () => void;
  /** Returns the faults of a file: the same list until the faults of the shell change. */
  faultsOf: (path: string) => readonly ShellFault[];
}

const noFaults: readonly ShellFault[] = [];

/** The preview of a shell with its unsaved files, and the faults that rendering and saving have found. */
export function useShellPreview(
  site: string,
  stored: readonly ShellFile[],
  files: OpenFiles,
  isShown: boolean,
): ShellPreview {
  const [refreshes, setRefreshes] = useState(0);
  const input = useMemo(() => previewInput(stored, files, refreshes), [stored, files, refreshes]);
  const preview = usePreview(site, input.key, input.texts, isShown);
  const fault = useMemo(() => readFault(preview.problem?.message ?? ''), [preview.problem]);
  const saved = [...files.values()].filter((file) => !isUnsaved(file));
  // as a string, because `files` changes with every key press and an editor shows its faults again for every new list
  const warnings = JSON.stringify(saved.flatMap((file) => file.warnings.map(({ message }) => message)));
  const faultsOf = useMemo(() => {
    const messages = JSON.parse(warnings) as string[];
    const all = fault ? [fault] : messages.map(readFault).filter((one) => one !== null);
    const byFile = new Map(stored.map(({ path }) => [path, all.filter((one) => one.file === path)]));
    return (path: string) => byFile.get(path) ?? noFaults;
  }, [fault, warnings, stored]);
  return { ...preview, fault, refresh: () => setRefreshes(refreshes + 1), faultsOf };
}
