import { notFound } from './errors.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * Returns the id from a path; throws 404 if it is not a UUID (contract: an id that is not a UUID is 404, never 500).
 */
export function requireId(text: string | undefined, what: string): string {
  if (!text || !isUuid(text)) throw notFound(what);
  return text.toLowerCase();
}
