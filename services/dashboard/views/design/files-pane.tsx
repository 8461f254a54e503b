import { Link } from '@tanstack/react-router';
import FilePlus from 'lucide-react/icons/file-plus';
import History from 'lucide-react/icons/history';
import PanelRight from 'lucide-react/icons/panel-right';
import Upload from 'lucide-react/icons/upload';
import type { ComponentProps } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { IconButton } from '../../parts/button.tsx';
import { FileTree } from './file-tree.tsx';
import { strings } from './strings.ts';

/** The files of a shell, and what can be done with all of them. */
export const FilesPane = ({
  site,
  tree,
  isPreviewShown,
  onTogglePreview,
  onCreate,
  onUpload,
}: {
  site: string;
  tree: ComponentProps<typeof FileTree>;
  isPreviewShown: boolean;
  onTogglePreview: () => void;
  /** Undefined, as `onUpload`, for a person who may not change the shell. */
  onCreate: (() => void) | undefined;
  onUpload: ((files: readonly File[]) => void) | undefined;
}) => (
  <section className="design-files" aria-label={strings.files}>
    <header className="pane-head">
      <h1>{strings.title}</h1>
      {onCreate && (
        <IconButton label={strings.newFile} onPress={onCreate}>
          <FilePlus aria-hidden size={16} />
        </IconButton>
      )}
      {onUpload && (
        <FileTrigger allowsMultiple onSelect={(chosen) => onUpload([...(chosen ?? [])])}>
          <IconButton label={strings.upload}>
            <Upload aria-hidden size={16} />
          </IconButton>
        </FileTrigger>
      )}
      <Link to={`/sites/${site}/design/snapshots`} className="icon-button" aria-label={strings.openSnapshots}>
        <History aria-hidden size={16} />
      </Link>
      <span className="only-wide">
        <IconButton label={isPreviewShown ? strings.hidePreview : strings.showPreview} onPress={onTogglePreview}>
          <PanelRight aria-hidden size={16} />
        </IconButton>
      </span>
    </header>
    <FileTree {...tree} />
  </section>
);
