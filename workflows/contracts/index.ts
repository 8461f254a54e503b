export * from './media.ts';
export * from './site-actor.ts';
