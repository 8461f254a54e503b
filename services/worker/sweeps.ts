import { endpointActor } from '../../workflows/contracts/endpoint-actor.ts';
import { integrationActor } from '../../workflows/contracts/integration-actor.ts';
import { mediaActor } from '../../workflows/contracts/media.ts';
import { createTxtReader } from '../engines/dns/txt-records.ts';
import type { Mailer } from '../engines/smtp/mailer.ts';
import type { App } from '../features/app.ts';
import { purgeEvents, selectEndpointsToWake } from '../features/events/index.ts';
import { purgeDeliveries, selectIntegrationsToWake, settleEverySite } from '../features/inbound/index.ts';
import { deleteExpiredUploads, selectSitesWithMediaWork, uploadKeptMs } from '../features/media/index.ts';
import { sendDueMails } from '../features/people/index.ts';
import { type Builder, selectSitesToWake, selectSitesWithDueItems } from '../features/publishing/index.ts';
import { checkDomainProofs } from '../features/sites/index.ts';
import { createRewaker } from './rewake.ts';
import type { Sweep } from './sweeper.ts';

const mediaEveryMs = 10_000;
const uploadsEveryMs = 60 * 60 * 1000;
const retentionEveryMs = 60 * 60 * 1000;

/** Limits a sweep to one run per `ms`. */
function atMostEvery(ms: number, run: () => Promise<void>): () => Promise<void> {
  let next = 0;
  return async () => {
    if (performance.now() < next) return;
    await run();
    next = performance.now() + ms;
  };
}

/**
 * Creates the sweep that checks proofs of domains, if they are required. DNS may be slow, so it has its own sweeper.
 */
export function createProofSweeps({ db, config, log }: Pick<App, 'db' | 'config' | 'log'>): Sweep[] {
  if (config.domainProof === 'off') return [];
  const readTxtRecords = createTxtReader(config);
  return [{ name: 'domain proofs', run: () => checkDomainProofs(db, readTxtRecords, log) }];
}

/** Creates the sweep that sends mails, if a mail server is set. The server may be slow, so it has its own sweeper. */
export function createMailSweeps({ db, config, log }: Pick<App, 'db' | 'config' | 'log'>, mailer?: Mailer): Sweep[] {
  return mailer ? [{ name: 'mails', run: () => sendDueMails({ db, config, mailer, log }) }] : [];
}

/**
 * Creates the sweep that renders shards of other workers' builds, which may take minutes. The worker of embedded actors is
 * the only one.
 */
export function createShardSweeps({ actors }: Pick<App['config'], 'actors'>, builder: Pick<Builder, 'help'>): Sweep[] {
  return actors.engine === 'embedded' ? [] : [{ name: 'shards', run: builder.help }];
}

/** Creates the sweeps of every worker: one entry per kind of waiting work. */
export function createSweeps(app: Pick<App, 'db' | 'actors' | 'config'>): Sweep[] {
  const { db, actors } = app;
  const rewakeSites = createRewaker((id) => actors.wakeSite(id));
  const rewakeIntegrations = createRewaker((id) => actors.wakeActor(integrationActor(id)));
  return [
    {
      name: 'sites',
      async run() {
        for (const siteId of await selectSitesWithDueItems(db)) actors.wakeSite(siteId);
        rewakeSites(await selectSitesToWake(db));
      },
    },
    {
      name: 'media',
      run: atMostEvery(mediaEveryMs, async () => {
        for (const siteId of await selectSitesWithMediaWork(db)) actors.wakeActor(mediaActor(siteId));
      }),
    },
    { name: 'uploads', run: atMostEvery(uploadsEveryMs, () => deleteExpiredUploads(db, uploadKeptMs)) },
    {
      name: 'old deliveries',
      run: atMostEvery(retentionEveryMs, async () => {
        await purgeDeliveries(db, app.config);
        await purgeEvents(db, app.config);
      }),
    },
    {
      name: 'deliveries',
      async run() {
        await settleEverySite(app);
        rewakeIntegrations(await selectIntegrationsToWake(db));
      },
    },
    {
      name: 'events',
      async run() {
        for (const id of await selectEndpointsToWake(db)) actors.wakeActor(endpointActor(id));
      },
    },
  ];
}
