import type { Builder, BuilderApp } from './builder.ts';

/**
 * Creates the builder of a worker. Its modules are loaded here and not with the door, because gateways and commands do
 * not build.
 */
export async function openBuilder(app: BuilderApp): Promise<Builder> {
  const { createBuilder } = await import('./builder.ts');
  return createBuilder(app);
}
