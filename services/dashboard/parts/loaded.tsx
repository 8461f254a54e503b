import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Pending } from './pending.tsx';
import { ProblemView } from './problem-view.tsx';

/** Shows what a query has read; before, that it is loading or why it failed. What was read stays while it is read again. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ProblemView error={query.error} onRetry={() => void query.refetch()} />;
  return <Pending />;
}
