/**
 * Names and payloads of fetching a client metadata document of an agent, which the gateway awaits because it never
 * fetches from outside. Imports nothing.
 */

export const clientDocumentType = 'clientDocument';
/** Must exceed the time limit of the download itself. */
export const clientDocumentTimeoutMs = 20_000;

export interface ClientDocumentInput {
  url: string;
}

export interface ClientDocumentActivities {
  /** Returns the text of the document. Fails with `fetch_refused` if it cannot be fetched or is too large. */
  fetchClientDocument(input: ClientDocumentInput): Promise<string>;
}
