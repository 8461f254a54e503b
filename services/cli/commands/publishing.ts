import type { Command } from 'commander';
import { requireId } from '../../core/ids.ts';
import { createLogger } from '../../core/log.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';
import { openActorClient } from '../../engines/actors/open.ts';
import { createEdgeNotifier } from '../../engines/edges/notifier.ts';
import { withHeldObjects } from '../../engines/objects/held-objects.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import {
  createJobEnds,
  explainPage,
  type JobRow,
  listReleases,
  planRollback,
  requestPublish,
  rollBack,
  selectJob,
} from '../../features/publishing/index.ts';
import { auditing, siteChange } from '../auditing.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { type CommandContext, requireSite, withDatabase } from '../with-database.ts';

/** How often progress is shown; the end is told at once. */
const progressMs = 1000;
const everyRelease = { page: 1, per_page: 1000 };

/** Waits until the job has ended; reports each new stage. Throws the job's error. */
async function waitForJob(
  { db, actors }: Pick<CommandContext, 'db'> & { actors: ActorClient },
  id: string,
  report: (line: string) => void,
): Promise<JobRow> {
  const ends = createJobEnds({ db, actors, log: createLogger('cli', 'silent') });
  const { signal } = new AbortController();
  let last = '';
  for (;;) {
    const job = await selectJob(db, id);
    if (!job) throw new CliError('The job is gone; its site was deleted.', { code: 'not_found' });
    const line = `${job.status}: ${job.stage}${job.total > 0 ? ` ${job.done}/${job.total}` : ''}`;
    if (line !== last) report(line);
    last = line;
    if (job.status === 'failed') throw new CliError(job.error ?? 'The publish failed.');
    if (job.status === 'succeeded') return job;
    await ends.wait(id, { owner: 'cli', timeoutMs: progressMs, signal });
  }
}

async function publish(slug: string, options: CommonOptions & { wait?: boolean }): Promise<void> {
  await withDatabase(options.data, async (context) => {
    const { config, db } = context;
    const site = await requireSite(context, slug);
    const actors = await openActorClient(config, createLogger('cli', 'silent'));
    try {
      const change = (id: string) => siteChange('publish', site, 'publish', id)();
      const job = await auditing<string>(db, change).transaction((tx) => requestPublish(tx, site.id, 'publish'));
      actors.wakeSite(site.id);
      if (!options.wait) return printResult({ job }, options.json, () => `Queued as job ${job}.`);
      const ended = await waitForJob({ db, actors }, job, (line) => {
        if (!options.json) process.stderr.write(`${line}\n`);
      });
      const { url, warnings = [] } = ended.result as { url: string; warnings?: { message: string }[] };
      if (!options.json) for (const { message } of warnings) process.stderr.write(`Warning: ${message}\n`);
      printResult({ job, status: ended.status, result: ended.result }, options.json, () => url);
    } finally {
      await actors.close();
    }
  });
}

async function list(slug: string, options: CommonOptions): Promise<void> {
  const { rows } = await withDatabase(options.data, async (context) =>
    listReleases(context.db, (await requireSite(context, slug)).id, everyRelease),
  );
  const releases = rows.map(({ id, live, created_at, pages, changed }) => ({
    id,
    live,
    created_at: formatTimestamp(created_at),
    pages,
    changed,
  }));
  printResult(
    releases,
    options.json,
    (all) =>
      all
        .map(
          (row) =>
            `${row.id}  ${row.created_at}  ${row.pages} pages, ${row.changed} changed${row.live ? '  live' : ''}`,
        )
        .join('\n') || 'Nothing has been published yet.',
  );
}

async function rollback(slug: string, release: string, options: CommonOptions): Promise<void> {
  const { id } = await withDatabase(options.data, async (context) => {
    const site = await requireSite(context, slug);
    const objects = openObjectStore(context.config.objects, context.db);
    const { db, config } = context;
    const plan = await planRollback({ db, objects }, site.id, requireId(release, 'release'));
    const live = await withHeldObjects(objects, (held) =>
      auditing(db, siteChange('releases.rollback', site, 'releases', release)).transaction((tx) =>
        rollBack({ tx, objects: held, config }, site.id, plan),
      ),
    );
    await createEdgeNotifier({ db, secretKeys: config.secretKeys, log: createLogger('cli', 'silent') }).siteSwapped(
      site.id,
    );
    return live;
  });
  printResult({ id, live: true }, options.json, () => `Release ${id} is live again.`);
}

/** A reason as one line: its kind and what it names. */
const describeReason = ({ kind, ...named }: Record<string, unknown>) =>
  [kind, ...Object.entries(named).map(([name, value]) => `${name}=${value}`)].join(' ');

async function why(slug: string, path: string, options: CommonOptions & { release?: string }): Promise<void> {
  const given = options.release === undefined ? null : requireId(options.release, 'release');
  const result = await withDatabase(options.data, async ({ config, db }) => {
    const site = await requireSite({ db }, slug);
    const release = given ?? site.live_release;
    if (!release) throw new CliError('The site has not been published yet.', { code: 'not_found' });
    const objects = openObjectStore(config.objects, db);
    return { release, path, ...(await explainPage({ db, objects }, site.id, release, path)) };
  });
  printResult(result, options.json, ({ rendered, reasons }) => {
    const first = { true: 'rendered', false: 'reused', null: 'not known: the release is too old' }[`${rendered}`];
    return [first, ...reasons.map((reason) => `  ${describeReason(reason)}`)].join('\n');
  });
}

/** Adds `fieldstone publish` and `fieldstone releases list|rollback|why`. */
export function register(program: Command): void {
  addCommand(program, 'publish <site>', 'publish a site')
    .option('--wait', 'show progress and print the live URL')
    .action(command(publish));
  const releases = program.command('releases').description('live and earlier releases of a site');
  addCommand(releases, 'list <site>', 'list the releases of a site, newest first').action(command(list));
  addCommand(releases, 'rollback <site> <release>', 'make an earlier release live again, without a build').action(
    command(rollback),
  );
  addCommand(releases, 'why <site> <path>', 'why a page of the live release was rendered or reused')
    .option('--release <id>', 'of an earlier release')
    .action(command(why));
}
