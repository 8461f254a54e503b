/** Every workflow that the worker knows: one line each. */
export { siteActor } from './site-actor.ts';
