import type { Status } from '../../core/content-fields.ts';
import { problem } from '../../core/errors.ts';
import type { Writer } from '../../core/roles.ts';
import { requireOwn } from '../access/index.ts';
import type { ContentRow } from './row.ts';

/** States of items that neither the next publish nor the scheduler makes live. */
const unpublished: readonly Status[] = ['draft', 'archived'];

/**
 * Throws `role_insufficient` if the writer may change only their own items and the next publish of any user, or the item's
 * schedule, would make the item live: such a role may not publish (contract: People, agents and paths).
 */
export function requireUnpublished({ onlyOwn }: Writer, status: Status): void {
  if (!onlyOwn || unpublished.includes(status)) return;
  const message = `An item that is ${status} needs the role owner or editor; the user's role here allows ${unpublished.join(' and ')}.`;
  throw problem('role_insufficient', message);
}

/**
 * Throws `role_insufficient` if the writer may change only their own items and this item is not theirs, or is published
 * or scheduled.
 */
export function requireOwnItem(
  writer: Writer,
  { created_by, status }: Pick<ContentRow, 'created_by' | 'status'>,
): void {
  requireOwn(writer, 'content item', created_by);
  requireUnpublished(writer, status);
}
