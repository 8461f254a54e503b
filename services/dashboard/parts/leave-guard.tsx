import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { strings } from '../app/strings.ts';
import { ConfirmDialog } from './dialog-box.tsx';

/** Asks before a page with unsaved changes is left, or its window is closed. */
export function LeaveGuard({
  isDirty,
  mustAsk = isDirty,
  text = strings.leaveText,
}: {
  /** Whether there are unsaved changes. Memoize it. */
  isDirty: () => boolean;
  /** Whether to ask before the dashboard shows something else; without it, if there are unsaved changes. Memoize it. */
  mustAsk?: ShouldBlockFn;
  /** What is lost. */
  text?: string;
}) {
  const leaving = useBlocker({ shouldBlockFn: mustAsk, enableBeforeUnload: isDirty, withResolver: true });
  if (leaving.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={strings.leaveTitle}
      text={text}
      confirm={strings.leave}
      run={async () => leaving.proceed()}
      onClose={leaving.reset}
    />
  );
}
