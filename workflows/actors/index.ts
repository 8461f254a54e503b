/** Every actor, exported under the name with which both runtimes start it: one line each. */

export { backupOperation } from './backup-operation.ts';
export { clientDocument } from './client-document.ts';
export { endpointActor } from './endpoint.ts';
export { factCheck } from './fact-check.ts';
export { integrationActor } from './integration.ts';
export { itemPreview } from './item-preview.ts';
export { mediaActor, mediaFetch } from './media.ts';
export { shellPreview } from './shell-preview.ts';
export { siteActor } from './site.ts';
