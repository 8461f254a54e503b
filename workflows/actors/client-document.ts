import type { ClientDocumentInput } from '../contracts/client-document.ts';
import type { ActorRuntime } from '../contracts/runtime.ts';

/** Fetches one client metadata document for a waiting request. Resolves to its text. */
export async function clientDocument(runtime: ActorRuntime, input: ClientDocumentInput): Promise<string> {
  return runtime.call('fetchClientDocument', input);
}
