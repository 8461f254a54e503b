import { useBlocker } from '@tanstack/react-router';
import { strings } from '../app/strings.ts';
import { ConfirmDialog } from './dialog-box.tsx';

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const leaving = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  if (leaving.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={strings.leaveTitle}
      text={strings.leaveText}
      confirm={strings.leave}
      run={async () => leaving.proceed()}
      onClose={leaving.reset}
    />
  );
}
