import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { dataOf, rest } from '../../app/api.ts';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { strings } from './strings.ts';

interface Rollback {
  to: string;
  /** What is live now, for undoing; null if nothing is. */
  from: string | null;
}

/** Returns a function that makes an earlier release live, and offers to undo it. */
export function useRollback(site: string): (rollback: Rollback) => void {
  const { mutate } = useMutation({
    mutationFn: ({ to }: Rollback) =>
      dataOf(rest.POST('/sites/{site}/releases/{release}/rollback', { params: { path: { site, release: to } } })),
    onError: notifyProblem,
  });
  return useCallback(
    function rollBack(rollback: Rollback): void {
      mutate(rollback, {
        onSuccess() {
          const { to, from } = rollback;
          notify(strings.rolledBack, from === null ? {} : { undo: () => rollBack({ to: from, from: to }) });
        },
      });
    },
    [mutate],
  );
}
