import { problem } from '../../services/core/errors.ts';
import { createShares } from '../../services/core/shares.ts';
import { FetchError } from '../../services/engines/fetch/errors.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import { fetchShares } from '../policies/index.ts';
import type { ActivityDeps } from './deps.ts';

const maxBytes = 16 * 1024;
const totalTimeoutMs = 8000;

const tooManyDocuments = () =>
  problem('unavailable', 'Too many client metadata documents are being fetched; try again shortly.', {
    retryAfterSeconds: 5,
    isBusy: true,
  });

/** Creates the call of client metadata documents; see the contract. A redirect is refused: the URL is the identity. */
export function createClientDocumentActivities({ fetcher }: ActivityDeps): Pick<CallHandlers, 'fetchClientDocument'> {
  const fetches = createShares({ ...fetchShares.clientDocuments, refuse: tooManyDocuments });
  return {
    fetchClientDocument: ({ url }, { signal }) =>
      fetches.pass(new URL(url).host, signal, async () => {
        try {
          const options = { maxBytes, totalTimeoutMs, maxRedirects: 0, accept: 'application/json', signal };
          return (await fetcher.fetchBytes(url, options)).bytes.toString();
        } catch (error) {
          if (error instanceof FetchError) throw problem('fetch_refused', error.message, { cause: error });
          throw error;
        }
      }),
  };
}
