export * from './site-actor.ts';
