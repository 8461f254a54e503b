import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../app/commands.ts';
import { useSaveKey } from '../../parts/use-save-key.ts';
import { strings } from './strings.ts';

interface Actions {
  site: string;
  paths: readonly string[];
  current: string | undefined;
  mayWrite: boolean;
  open: (path: string) => void;
  save: (path: string | undefined) => Promise<void>;
  saveAll: () => Promise<void>;
  create: () => void;
  togglePreview: () => void;
}

/** The commands of the page in the palette, and Ctrl+S or Cmd+S for the file that is shown. */
export function useDesignCommands(actions: Actions): void {
  const { site, paths, mayWrite } = actions;
  const latest = useRef(actions);
  latest.current = actions;
  const navigate = useNavigate();
  const commands = useMemo((): readonly Command[] => {
    const own = (id: string, title: string, run: () => void): Command => ({
      id: `design-${id}`,
      title,
      group: strings.group,
      run,
    });
    const writing = [
      own('save', strings.save, () => void latest.current.save(latest.current.current)),
      own('save-all', strings.saveAll, () => void latest.current.saveAll()),
      own('create', strings.newFile, () => latest.current.create()),
    ];
    return [
      ...(mayWrite ? writing : []),
      own('preview', strings.togglePreview, () => latest.current.togglePreview()),
      own('snapshots', strings.openSnapshots, () => void navigate({ to: `/sites/${site}/design/snapshots` })),
      ...paths.map((path) => ({ ...own(path, path, () => latest.current.open(path)), group: strings.files })),
    ];
  }, [site, paths, mayWrite, navigate]);
  useCommands(commands);
  useSaveKey(() => {
    if (mayWrite) void actions.save(actions.current);
  });
}
