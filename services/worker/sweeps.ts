import { integrationActor } from '../../workflows/contracts/integration-actor.ts';
import { mediaActor } from '../../workflows/contracts/media.ts';
import type { App } from '../features/app.ts';
import { selectSitesWithMediaWork } from '../features/media/process/sql.ts';
import { selectSitesToWake } from '../features/publishing/sweep.ts';
import { selectIntegrationsToWake, settleEverySite } from '../features/webhooks/service.ts';
import type { Sweep } from './sweeper.ts';

/** What every worker looks for: one entry per kind of waiting work. */
export function createSweeps(app: Pick<App, 'db' | 'temporal' | 'config'>): Sweep[] {
  const { db, temporal } = app;
  return [
    {
      name: 'sites',
      async run() {
        for (const siteId of await selectSitesToWake(db)) temporal.wakeSite(siteId);
      },
    },
    {
      name: 'media',
      async run() {
        for (const siteId of await selectSitesWithMediaWork(db)) temporal.wakeActor(mediaActor(siteId));
      },
    },
    {
      name: 'deliveries',
      async run() {
        await settleEverySite(app);
        for (const id of await selectIntegrationsToWake(db)) temporal.wakeActor(integrationActor(id));
      },
    },
  ];
}
