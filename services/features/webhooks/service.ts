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
export { type IntegrationRow, selectAllIntegrations, selectIntegrationIds } from './integrations-sql.ts';
export {
  findDeliveryByName,
  listRange,
  replay,
  requireIntegrationBySlug,
} from './operate.ts';
export { presentDelivery, presentIntegration } from './present.ts';
export { createReceiver, type InboundDelivery } from './receive.ts';
export { purgeDeliveries } from './retention.ts';
export { type DeliveryStatus, deliveryStatuses } from './schema.ts';
export { integrationSecrets } from './secrets.ts';
export { settleEverySite, settleSite } from './settle.ts';
export { signBody } from './signature.ts';
export { selectIntegrationsToWake } from './sweep.ts';
