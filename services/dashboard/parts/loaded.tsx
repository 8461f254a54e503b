import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NotFound } from '../app/not-found.tsx';
import { Pending } from './pending.tsx';
import { ProblemView } from './problem-view.tsx';

/** Shows what a query has read; before, that it is loading or why it failed. What was read stays while it is read again. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ProblemView error={query.error} onRetry={() => void query.refetch()} />;
  return <Pending />;
}

/** Shows the record with this id of a list that a query reads, or that it does not exist. */
export const LoadedRecord = <T extends { id: string }>({
  query,
  id,
  children,
}: {
  query: UseQueryResult<readonly T[]>;
  id: string;
  children: (record: T) => ReactNode;
}) => (
  <Loaded query={query}>
    {(all) => {
      const record = all.find((one) => one.id === id);
      return record ? children(record) : <NotFound />;
    }}
  </Loaded>
);
