import X from 'lucide-react/icons/x';
import { describeBytes } from '../../app/format.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { strings } from './strings.ts';
import type { UploadState } from './use-uploads.ts';

/** The uploads of this page with their progress. */
export const UploadList = ({
  uploads,
  onRetry,
  onCancel,
  onClear,
}: {
  uploads: readonly UploadState[];
  onRetry: (id: string) => void;
  onCancel: (id: string) => void;
  onClear: () => void;
}) => (
  <section className="upload-list" aria-label={strings.uploads}>
    <ul className="rows" aria-label={strings.uploads}>
      {uploads.map(({ id, name, bytes, sent, status, error }) => (
        <li key={id}>
          <div>
            <strong>{name}</strong> {status === 'done' && <Badge tone="good">{strings.uploaded}</Badge>}
            {status === 'failed' && <Badge tone="bad">{strings.uploadFailed}</Badge>}
            <small>{error ?? `${describeBytes(sent)} / ${describeBytes(bytes)}`}</small>
            {status === 'sending' && <progress aria-label={strings.progressOf(name)} value={sent} max={bytes} />}
          </div>
          <div className="buttons">
            {status === 'failed' && (
              <Button variant="quiet" onPress={() => onRetry(id)}>
                {strings.retry}
              </Button>
            )}
            {status !== 'done' && (
              <IconButton label={strings.cancelUpload(name)} onPress={() => onCancel(id)}>
                <X aria-hidden size={18} />
              </IconButton>
            )}
          </div>
        </li>
      ))}
    </ul>
    {uploads.some(({ status }) => status !== 'sending') && (
      <Button variant="quiet" onPress={onClear}>
        {strings.hideUploads}
      </Button>
    )}
  </section>
);
