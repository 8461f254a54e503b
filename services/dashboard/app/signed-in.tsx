import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Pending } from '../parts/pending.tsx';
import { ProblemView } from '../parts/problem-view.tsx';
import { toProblem } from './problem.ts';
import { useMeQuery } from './session.ts';

const SignIn = lazy(() => import('../views/sign-in/sign-in.tsx'));

/** Shows the pages to a person with a session, and signing in to others; the path stays, so that signing in leads to the page. */
export function SignedIn() {
  const me = useMeQuery();
  if (me.data) return <Outlet />;
  if (me.isPending) return <Pending />;
  if (toProblem(me.error).status !== 401) return <ProblemView error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <Suspense fallback={<Pending />}>
      <SignIn />
    </Suspense>
  );
}
