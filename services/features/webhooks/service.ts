/** What other features and processes may use of webhooks. */

export { loadDelivery } from './deliveries.ts';
export { selectDeliveries } from './deliveries-sql.ts';
export { forecastReplay, type ReplayForecast } from './forecast.ts';
export {
  createIntegration,
  requireIntegration,
  rotateIntegration,
  updateIntegration,
  type WithSecret,
} from './integrations.ts';
export { type IntegrationRow, selectAllIntegrations } from './integrations-sql.ts';
export {
  countUnreadableSecrets,
  findDeliveryByName,
  listRange,
  rekeySecrets,
  replay,
  requireIntegrationBySlug,
} from './operate.ts';
export { presentDelivery, presentIntegration } from './present.ts';
export { createReceiver } from './receive.ts';
export { purgeDeliveries } from './retention.ts';
export { type DeliveryStatus, deliveryStatuses } from './schema.ts';
export { openSecret, resealSecret } from './secrets.ts';
export { settleEverySite, settleSite } from './settle.ts';
export { isSignedBy, signBody } from './signature.ts';
export { selectIntegrationsToWake } from './sweep.ts';
