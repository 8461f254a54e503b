import { Problem } from '../../services/core/errors.ts';
import { toFailure } from '../../services/engines/temporal/client.ts';
import { checkItem } from '../../services/features/fact-check/service.ts';
import type { FactCheckActivities } from '../contracts/fact-check.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';

/** What the fact check workflow calls; see the contract. */
export function createFactCheckActivities({ app, fetcher }: ActivityDeps): FactCheckActivities {
  return {
    checkFacts: (order) =>
      beating(async ({ cancellationSignal }) => {
        try {
          return JSON.stringify(await checkItem({ app, fetcher, signal: cancellationSignal }, order));
        } catch (error) {
          throw error instanceof Problem && error.status < 500 ? toFailure(error) : error;
        }
      }),
  };
}
