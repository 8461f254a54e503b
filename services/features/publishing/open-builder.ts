import type { Builder, BuilderApp } from './builder.ts';

/** Makes the builder of a worker. What builds is loaded here and not with the door: gateways and commands build nothing. */
export async function openBuilder(app: BuilderApp): Promise<Builder> {
  const { createBuilder } = await import('./builder.ts');
  return createBuilder(app);
}
