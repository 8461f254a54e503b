import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { toProblem } from './problem.ts';
import { meKey } from './session.ts';

const maxRetries = 2;

/** Creates the cache of everything read. A request that finds the session ended shows the sign-in page again. */
export function createQueryClient(): QueryClient {
  const showSignInAfter = (error: unknown) => {
    const isSignedIn = client.getQueryData(meKey) !== undefined;
    if (isSignedIn && toProblem(error).status === 401) void client.resetQueries({ queryKey: meKey });
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
