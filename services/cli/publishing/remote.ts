import type { RemoteClient } from '../remote/connection.ts';
import { take } from '../remote/take.ts';
import { CliError } from '../run-command.ts';
import { type PublishingCalls, type PublishResult, unpublished } from './calls.ts';

/** How long one request waits for the end of a job: progress is shown about as often, within the rate limit. */
const waitSeconds = 2;

/** Returns the calls that publish over REST. */
export function remotePublishing(client: RemoteClient): PublishingCalls {
  async function findLive(site: string): Promise<string> {
    for await (const { id, live } of client.list('listReleases', { site })) if (live) return id;
    throw new CliError(unpublished, { code: 'not_found' });
  }
  return {
    async publish(site, onProgress) {
      const { job } = (await client.call('publishSite', { site })).data;
      if (!onProgress) return { job };
      const ended = await client.waitForJob(job, {
        waitSeconds,
        onProgress: ({ status, progress }) => onProgress({ status, ...progress }),
      });
      if (ended.status === 'failed') throw new CliError(ended.error?.message ?? 'The publish failed.');
      return { job, status: ended.status, result: ended.result as PublishResult };
    },
    async list(site) {
      const releases = await take(client.list('listReleases', { site }), Number.POSITIVE_INFINITY);
      return releases.map(({ id, live, created_at, pages, changed }) => ({ id, live, created_at, pages, changed }));
    },
    rollBack: async (site, release) => (await client.call('rollBackRelease', { site, release })).data.id,
    async why(site, path, given) {
      const release = given ?? (await findLive(site));
      const { rendered, reasons } = (await client.call('explainPage', { site, release, query: { path } })).data;
      return { release, path, rendered, reasons };
    },
  };
}
