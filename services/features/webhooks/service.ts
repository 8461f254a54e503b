/** What other features and processes may use of webhooks. */
export {
  createIntegration,
  requireIntegration,
  rotateIntegration,
  updateIntegration,
  type WithSecret,
} from './integrations.ts';
export { createReceiver } from './receive.ts';
export { settleEverySite, settleSite } from './settle.ts';
export { isSignedBy, signBody } from './signature.ts';
export { selectIntegrationsToWake } from './sweep.ts';
