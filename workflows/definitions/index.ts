/** Every workflow that the worker knows: one line each. */

export { endpointActor } from './endpoint-actor.ts';
export { factCheck } from './fact-check.ts';
export { integrationActor } from './integration-actor.ts';
export { mediaActor, mediaFetch } from './media-actor.ts';
export { siteActor } from './site-actor.ts';
