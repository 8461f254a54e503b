import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { toProblem } from './problem.ts';
import { isUnauthorized, meKey } from './session.ts';

const maxRetries = 2;

/** Creates the cache of everything read. A request that finds the session ended asks again who is signed in, and so shows the sign-in page. */
export function createQueryClient(): QueryClient {
  const showSignInAfter = (error: unknown) => {
    const me = client.getQueryState(meKey);
    const isSignedIn = me?.data !== undefined && !isUnauthorized(me.error);
    if (isSignedIn && isUnauthorized(error)) void client.invalidateQueries({ queryKey: meKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: showSignInAfter }),
    mutationCache: new MutationCache({ onError: showSignInAfter }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry(failures, error) {
          const { status } = toProblem(error);
          return failures < maxRetries && (status === 0 || status === 429 || status >= 500);
        },
      },
    },
  });
  return client;
}
