import type { App } from '../../features/app.ts';
import type { Stage } from '../context.ts';

/** What writes. Deleting and purging free space. */
const writing = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Throws 503 while the disk of an installation on one machine is nearly full: a request that writes is refused before the database,
 * which is on the same disk, fails. Nothing is asked of where objects are kept elsewhere.
 */
export async function checkSpace({ objects }: Pick<App, 'objects'>, method: string): Promise<void> {
  if (writing.has(method)) await objects.requireSpace();
}

export const requireSpace: Stage = async (ctx) => {
  await checkSpace(ctx.app, ctx.method);
  return undefined;
};
