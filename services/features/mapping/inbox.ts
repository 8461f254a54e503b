import { randomUUID } from 'node:crypto';
import type { InboxPlan } from '../../../workflows/contracts/integration-actor.ts';
import type { Site } from '../../core/http.ts';
import { currentOrigin, inSpan } from '../../core/tracing.ts';
import { withIds } from '../../core/work-context.ts';
import { planAfter, runTurn, type Turn } from '../actor-turn.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  countDelivery,
  releaseClaim,
  selectNextDueMs,
} from '../inbound/index.ts';
import { selectIntegrationById } from '../integrations/index.ts';
import { selectSiteById } from '../sites/index.ts';
import { type ApplyTurns, createApplyTurns } from './apply-turns.ts';
import { createInboxRoom } from './inbox-room.ts';
import { applyDelivery, type MapDeps, prepareDelivery, type ReadDelivery, readDelivery } from './map-delivery.ts';
import { mapperOf } from './mappers/index.ts';
import type { Mapper } from './mappers/mapper.ts';
import { retryBuilds } from './rebuilds.ts';
import { abandon, endUnmapped } from './unmapped.ts';

const maxClaimed = 48;
/** A delivery that was alone when its worker ended this often is given up. */
const maxInterruptions = 6;
/** Interval at which an inbox retries while another one is processing a delivery that may crash the worker. */
const heldBackMs = 1000;
/**
 * While there is more to map, the minimum interval between wakes of the site: a build takes everything mapped until
 * then.
 */
const siteWakeMs = 1000;

interface InboxTurn extends MapDeps {
  site: Site;
  mapper: Mapper;
  signal: AbortSignal;
  /** The last delivery of each item in this turn: the next one of the item waits for it. */
  chains: Map<string, Promise<void>>;
  applying: ApplyTurns;
  wakeSite(more: boolean): void;
}

/** Runs a delivery's work with its ids, in the trace of the request that sent it. */
function asDelivery<T>(
  { id, integration_id, origin }: ClaimedDelivery,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const { request_id, traceparent } = origin ?? {};
  const turn = currentOrigin()?.traceparent;
  const options = {
    parent: traceparent,
    links: traceparent && turn ? [turn] : [],
    attributes: { 'fieldstone.delivery': id, 'fieldstone.integration': integration_id },
  };
  return withIds({ delivery: id, integration: integration_id, ...(request_id ? { request_id } : {}) }, () =>
    inSpan(name, options, work),
  );
}

/** Reads a delivery immediately, to determine its item, and maps it after earlier ones of the same item. */
async function startDelivery(inbox: InboxTurn, turn: Turn, delivery: ClaimedDelivery): Promise<void> {
  const { mapper, chains } = inbox;
  if (delivery.interruptions >= maxInterruptions) return turn.track(abandon(inbox, delivery));
  try {
    const read = await asDelivery(delivery, 'read delivery', () => readDelivery(inbox, mapper, delivery));
    const before = chains.get(read.itemKey);
    const work = async () => {
      await before?.catch(() => undefined); // the turn reports its error
      await asDelivery(delivery, 'map delivery', () => mapDelivery(inbox, turn, read));
    };
    const running = work();
    chains.set(read.itemKey, running);
    turn.track(running);
  } catch (error) {
    turn.track(endUnmapped(inbox, delivery, error));
  }
}

async function mapDelivery(inbox: InboxTurn, turn: Turn, read: ReadDelivery): Promise<void> {
  const { app, site, signal } = inbox;
  try {
    const ready = await inSpan('prepare', {}, () => prepareDelivery(inbox, site, read, signal));
    const outcome = await inbox.applying.pass(site.id, () =>
      inSpan('apply', {}, () => applyDelivery(inbox, site, ready)),
    );
    app.log.debug({ outcome, attempt: read.delivery.attempts }, 'delivery mapped');
    if (outcome === 'superseded') countDelivery('superseded');
    if (outcome === 'mapped') inbox.wakeSite(turn.size() > 1);
  } catch (error) {
    await endUnmapped(inbox, read.delivery, error);
  }
}

function createSiteWaker({ app }: MapDeps, siteId: string) {
  let wokenAt = 0;
  return (more: boolean) => {
    if (more && Date.now() - wokenAt < siteWakeMs) return;
    wokenAt = Date.now();
    app.actors.wakeSite(siteId);
  };
}

/** Creates the processing of an integration's inbox; see `IntegrationActivities`. */
export function createInbox(deps: MapDeps) {
  const { db } = deps.app;
  const room = createInboxRoom();
  // builds and waiting requests also need connections
  const applying = createApplyTurns(Math.ceil(deps.app.config.databasePoolSize / 2));
  return {
    /**
     * Maps due deliveries for a limited time. Throws when an engine is unavailable; claimed deliveries are returned to
     * the queue if possible.
     */
    async work(integrationId: string, signal: AbortSignal): Promise<InboxPlan> {
      const integration = await selectIntegrationById(db, integrationId);
      const site = integration && (await selectSiteById(db, integration.site_id));
      if (!integration || !site) return { do: 'end' };
      await retryBuilds(deps.app, integrationId, site);
      const inbox: InboxTurn = {
        ...deps,
        site,
        mapper: mapperOf(integration.mapper),
        signal,
        chains: new Map(),
        applying,
        wakeSite: createSiteWaker(deps, site.id),
      };
      const claim = randomUUID();
      let isHeldBack = false;
      await runTurn({
        atOnce: maxClaimed,
        signal,
        async claim(deliveries, turn) {
          const bounded = await room.claim(deliveries, turn, (within) =>
            claimDeliveries(db, integrationId, claim, within),
          );
          isHeldBack = bounded.isHeldBack;
          for (const delivery of bounded.claimed) await startDelivery(inbox, bounded.turnOf(delivery), delivery);
        },
        async release() {
          await releaseClaim(db, claim, integrationId);
        },
      });
      const plan = planAfter(await selectNextDueMs(db, integrationId));
      return isHeldBack && plan.do === 'continue' ? { do: 'sleep', ms: heldBackMs } : plan;
    },
  };
}
