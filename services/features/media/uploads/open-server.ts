import type { App } from '../../app.ts';
import type { UploadServer } from './server.ts';

/**
 * Creates the upload server of a gateway. Its library is loaded here and not with the door, because a worker only
 * removes old uploads.
 */
export async function openUploadServer(app: App): Promise<UploadServer> {
  const { createUploadServer } = await import('./server.ts');
  return createUploadServer(app);
}
