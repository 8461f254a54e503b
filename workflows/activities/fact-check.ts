import { checkItem } from '../../services/features/fact-check/service.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import type { ActivityDeps } from './deps.ts';

/** What the fact check calls; see the contract. */
export function createFactCheckActivities({ app, fetcher }: ActivityDeps): Pick<CallHandlers, 'checkFacts'> {
  return {
    checkFacts: async (order, { signal }) => JSON.stringify(await checkItem({ app, fetcher, signal }, order)),
  };
}
