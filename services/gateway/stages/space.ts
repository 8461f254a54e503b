import type { App } from '../../features/app.ts';
import type { Stage } from '../context.ts';

/** Methods that write. Deleting and purging free space. */
const writing = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Throws 503 for a method that writes while the disk of a single-machine installation is nearly full, before the
 * database on the same disk fails. Does nothing if objects are stored elsewhere.
 */
export async function checkSpace({ objects }: Pick<App, 'objects'>, method: string): Promise<void> {
  if (writing.has(method)) await objects.requireSpace();
}

export const requireSpace: Stage = async (ctx) => {
  await checkSpace(ctx.app, ctx.method);
  return undefined;
};
