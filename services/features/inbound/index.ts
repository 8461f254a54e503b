/** The public interface of inbound. */
export { announceFailedDeliveries } from './announce.ts';
export { loadDelivery, loadDeliveryBody, requireDelivery } from './deliveries.ts';
export { type DeliveryRow, selectDeliveries } from './deliveries-sql.ts';
export {
  attachJob,
  type ClaimedDelivery,
  type ClaimRoom,
  claimDeliveries,
  endFailed,
  endSkipped,
  endSuperseded,
  markMapped,
  type RetrySettings,
  releaseClaim,
} from './delivery-state.ts';
export {
  type DueRebuild,
  lockClaimed,
  selectDueRebuilds,
  selectItem,
  selectNextDueMs,
  storeAppliedItem,
  updateMapped,
} from './inbox-sql.ts';
export { countDelivery, type DeliveryOutcome } from './metrics.ts';
export { findDeliveryByName, listRange, replay } from './operate.ts';
export { presentDelivery } from './present.ts';
export { createReceiver, type InboundDelivery } from './receive.ts';
export { purgeDeliveries } from './retention.ts';
export { deliveryStatuses } from './schema.ts';
export { settleEverySite, settleSite } from './settle.ts';
export { signBody } from './signature.ts';
export { selectIntegrationsToWake } from './sweep.ts';
export { entry, type TimelineEntry } from './timeline.ts';
