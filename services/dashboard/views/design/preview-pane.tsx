import ExternalLink from 'lucide-react/icons/external-link';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { Button, IconButton } from '../../parts/button.tsx';
import type { ShellFault } from './faults.ts';
import { PagePicker } from './page-picker.tsx';
import { strings } from './strings.ts';
import type { ShellPreview } from './use-shell-preview.ts';

/** What the preview may do: without navigation of the page around it, and on the dashboard's own origin without its session. */
function sandboxOf(url: string): string {
  const isElsewhere = new URL(url, window.location.href).origin !== window.location.origin;
  return `allow-scripts allow-forms allow-popups${isElsewhere ? ' allow-same-origin' : ''}`;
}

/** Frames of two versions: the new one is shown once it is there, so that the page does not flash. */
function Frames({ url }: { url: string }) {
  const [shown, setShown] = useState(url);
  const urls = shown === url ? [url] : [shown, url];
  return urls.map((one) => (
    <iframe
      key={one}
      src={one}
      title={strings.preview}
      sandbox={sandboxOf(one)}
      referrerPolicy="no-referrer"
      className="preview-frame"
      data-waiting={one !== shown || undefined}
      aria-hidden={one !== shown || undefined}
      tabIndex={one === shown ? undefined : -1}
      onLoad={() => one === url && setShown(url)}
    />
  ));
}

/** A page of the site with the unsaved files, as it would be published. */
export function PreviewPane({
  site,
  preview,
  onGoTo,
}: {
  site: string;
  preview: ShellPreview;
  /** Shows a line of a file. */
  onGoTo: (fault: ShellFault) => void;
}) {
  const [path, setPath] = useState('/');
  const { root, isRendering, problem, fault, refresh } = preview;
  const url = root === undefined ? undefined : root + path.slice(1);
  return (
    <section className="design-preview" aria-label={strings.preview}>
      <header className="pane-head">
        <PagePicker site={site} path={path} onChange={setPath} />
        <IconButton label={strings.refresh} onPress={refresh}>
          <RefreshCw aria-hidden size={15} />
        </IconButton>
        {url !== undefined && (
          <a className="icon-button" href={url} target="_blank" rel="noreferrer" aria-label={strings.openPreview}>
            <ExternalLink aria-hidden size={15} />
          </a>
        )}
      </header>
      {problem && (
        <div className="preview-fault" role="alert">
          <p>{problem.message}</p>
          {fault && (
            <Button variant="quiet" onPress={() => onGoTo(fault)}>
              {strings.goToLine(fault.file, fault.line)}
            </Button>
          )}
          {url !== undefined && <p className="field-description">{strings.previewFailed}</p>}
        </div>
      )}
      <div className="preview-frames">{url !== undefined && <Frames url={url} />}</div>
      <p className="pane-foot" role="status">
        <span data-rendering={isRendering || undefined}>{isRendering ? strings.rendering : strings.rendered}</span>
      </p>
    </section>
  );
}
