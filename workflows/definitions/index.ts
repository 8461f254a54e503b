/** Every actor as a Temporal workflow: one line each. The exported name is the workflow type. */

import * as actors from '../actors/index.ts';
import { asWorkflow } from './temporal-runtime.ts';

export const backupOperation = asWorkflow(actors.backupOperation);
export const clientDocument = asWorkflow(actors.clientDocument);
export const endpointActor = asWorkflow(actors.endpointActor);
export const factCheck = asWorkflow(actors.factCheck);
export const integrationActor = asWorkflow(actors.integrationActor);
export const itemPreview = asWorkflow(actors.itemPreview);
export const mediaActor = asWorkflow(actors.mediaActor);
export const mediaFetch = asWorkflow(actors.mediaFetch);
export const shellPreview = asWorkflow(actors.shellPreview);
export const siteActor = asWorkflow(actors.siteActor);
