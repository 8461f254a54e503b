import type { App } from '../app.ts';
import type { Builder } from './builder.ts';

/** Makes the builder of a worker. What builds is loaded here and not with the door: gateways and commands build nothing. */
export async function openBuilder(app: Pick<App, 'db' | 'objects' | 'config' | 'log'>): Promise<Builder> {
  const { createBuilder } = await import('./builder.ts');
  return createBuilder(app);
}
