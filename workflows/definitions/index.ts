/** Every workflow that the worker knows: one line each. */

export { mediaActor, mediaFetch } from './media-actor.ts';
export { siteActor } from './site-actor.ts';
