import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ConfirmDialog } from '../../parts/dialog-box.tsx';
import type { ShellSession } from './shell-session.ts';
import { strings } from './strings.ts';

/** Asks before the page is left with files that are not saved. */
export function Leaving({ session }: { session: ShellSession }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && session.unsaved().length > 0,
    enableBeforeUnload: false,
    withResolver: true,
  });
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (session.unsaved().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [session]);
  if (leaving.status !== 'blocked') return null;
  const paths = session.unsaved().map(({ path }) => path);
  return (
    <ConfirmDialog
      title={strings.leaveTitle}
      text={`${strings.leaveText} ${paths.join(', ')}`}
      confirm={strings.leave}
      run={async () => leaving.proceed()}
      onClose={leaving.reset}
    />
  );
}
