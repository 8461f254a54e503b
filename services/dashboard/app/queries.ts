import { QueryCache, QueryClient } from '@tanstack/react-query';
import { toProblem } from './problem.ts';
import { meKey } from './session.ts';

const maxRetries = 2;

/** Creates the cache of everything read. A request that finds the session ended shows the sign-in page again. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        const isSession = query.queryKey[0] === meKey[0];
        if (toProblem(error).status === 401 && !isSession) void client.resetQueries({ queryKey: meKey });
      },
    }),
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
