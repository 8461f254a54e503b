import type { App } from '../../app.ts';
import type { UploadServer } from './server.ts';

/** Makes the upload server of a gateway. The library is loaded here and not with the door: a worker only removes old uploads. */
export async function openUploadServer(app: App): Promise<UploadServer> {
  const { createUploadServer } = await import('./server.ts');
  return createUploadServer(app);
}
