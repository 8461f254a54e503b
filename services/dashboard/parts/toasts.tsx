import X from 'lucide-react/icons/x';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { strings } from '../app/strings.ts';
import { Button, IconButton } from './button.tsx';
import { type Notice, showNoticesWith } from './notify.ts';

const shownMs = 8_000;
const queue = new ToastQueue<Notice>({ maxVisibleToasts: 3 });
showNoticesWith((notice) => queue.add(notice, notice.isProblem ? {} : { timeout: shownMs }));

/** The notifications that are shown now. F6 moves the focus to them and back. */
export default function Toasts() {
  return (
    <ToastRegion queue={queue} className="toasts" aria-label={strings.notifications}>
      {({ toast }) => (
        <Toast toast={toast} className="toast" data-problem={toast.content.isProblem || undefined}>
          <ToastContent className="toast-content">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.undo && (
            <Button
              variant="quiet"
              onPress={() => {
                toast.content.undo!();
                queue.close(toast.key);
              }}
            >
              {strings.undo}
            </Button>
          )}
          <IconButton slot="close" label={strings.close}>
            <X aria-hidden size={16} />
          </IconButton>
        </Toast>
      )}
    </ToastRegion>
  );
}
