import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { createPortal } from 'react-dom';
import { Pending } from '../parts/pending.tsx';
import { ProblemView } from '../parts/problem-view.tsx';
import { isUnauthorized, useMeQuery } from './session.ts';

const SignIn = lazy(() => import('../views/sign-in/sign-in.tsx'));

/**
 * Shows the pages to a person with a session, and signing in to others; the path stays, so that signing in leads to the page. When a session
 * expires, the pages and their unsaved changes stay below the sign-in page until another person signs in.
 */
export function SignedIn() {
  const me = useMeQuery();
  const isEnded = isUnauthorized(me.error);
  const signIn = (
    <Suspense fallback={<Pending />}>
      <SignIn isAgain={me.data !== undefined} />
    </Suspense>
  );
  if (me.data)
    return (
      <>
        <div key={me.data.id} className="signed-in" inert={isEnded}>
          <Outlet />
        </div>
        {isEnded &&
          // above dialogs of the page, which else keep the focus
          createPortal(
            <div className="sign-in-again" data-react-aria-top-layer="true">
              {signIn}
            </div>,
            document.body,
          )}
      </>
    );
  if (me.isPending) return <Pending />;
  return isEnded ? signIn : <ProblemView error={me.error} onRetry={() => void me.refetch()} />;
}
