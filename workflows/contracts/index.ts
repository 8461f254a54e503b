export * from './endpoint-actor.ts';
export * from './integration-actor.ts';
export * from './media.ts';
export * from './site-actor.ts';
