import { problem } from '../../services/core/errors.ts';
import { createShares } from '../../services/core/shares.ts';
import { checkItem } from '../../services/features/fact-check/index.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import { fetchShares } from '../policies/index.ts';
import type { ActivityDeps } from './deps.ts';

const tooManyChecks = () =>
  problem('unavailable', 'Too many fact checks of this site are in progress; try again shortly.', {
    retryAfterSeconds: 10,
    isBusy: true,
  });

/** Creates the calls of the fact check; see the contract. */
export function createFactCheckActivities({ app, fetcher }: ActivityDeps): Pick<CallHandlers, 'checkFacts'> {
  const checks = createShares({ ...fetchShares.factChecks, refuse: tooManyChecks });
  return {
    checkFacts: (input, { signal }) =>
      checks.pass(input.siteId, signal, async () => JSON.stringify(await checkItem({ app, fetcher, signal }, input))),
  };
}
