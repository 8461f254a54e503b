import type { Status } from '../../core/content-fields.ts';
import { problem } from '../../core/errors.ts';
import type { Writer } from '../../core/roles.ts';
import { requireOwn } from '../access/index.ts';
import type { ContentRow } from './row.ts';

/** States of which the next publish, or the scheduler, makes nothing live. */
const unpublished: readonly Status[] = ['draft', 'archived'];

/**
 * Throws `role_insufficient` for a writer that may change only their own items when the item would be live with the next publish, by
 * whomever, or by its schedule: such a role has no publish (contract: People, agents and paths).
 */
export function requireUnpublished({ onlyOwn }: Writer, status: Status): void {
  if (!onlyOwn || unpublished.includes(status)) return;
  const message = `An item that is ${status} needs the role owner or editor; the user's role here allows ${unpublished.join(' and ')}.`;
  throw problem('role_insufficient', message);
}

/** Throws `role_insufficient` for a writer that may change only their own items, unless this is one that is not published. */
export function requireOwnItem(
  writer: Writer,
  { created_by, status }: Pick<ContentRow, 'created_by' | 'status'>,
): void {
  requireOwn(writer, 'content item', created_by);
  requireUnpublished(writer, status);
}
