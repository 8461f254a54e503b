import type { App } from '../app.ts';
import type { Builder } from './builder.ts';

/**
 * Creates the builder of a worker. Its modules are loaded here and not with the door, because gateways and commands do
 * not build.
 */
export async function openBuilder(app: Pick<App, 'db' | 'objects' | 'config' | 'log'>): Promise<Builder> {
  const { createBuilder } = await import('./builder.ts');
  return createBuilder(app);
}
