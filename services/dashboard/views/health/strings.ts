import { plural } from '../../app/format.ts';

/** The texts of the view about the whole installation. */
export const strings = {
  title: 'Health',
  lead: 'How this installation is doing, and what to do where it is not well.',
  allWell: 'Everything works.',
  notes: (count: number) =>
    plural(count, 'Everything works. One note is below.', 'Everything works. # notes are below.'),
  bad: (count: number) => plural(count, 'One thing needs attention.', '# things need attention.'),
  levels: { ok: 'Works', note: 'Note', bad: 'Problem' },
  refresh: 'Check again',
  engines: 'Engines',
  waiting: 'Waiting work',
  backups: 'Backups',
  database: 'The database responds.',
  objects: (place: string) => `Published pages and media are kept in ${place}.`,
  objectsBad: (place: string, why: string) => `The store of pages and media, ${place}, has a problem. ${why}`,
  objectsRemedy:
    'Until it works again, live pages are served from caches, and nothing can be published. Check the store, its credentials and its free space.',
  worker: 'A worker does the work: publishing, deliveries, images.',
  temporal: 'Temporal responds. It hands work to the workers.',
  workerBad: (why: string) => `No worker does the work. ${why}`,
  workerRemedy: 'Requests are accepted and wait. Start the service, or look into logs/worker.log.',
  temporalBad: (why: string) => `Temporal does not respond. ${why}`,
  temporalRemedy: 'Requests are accepted and wait. Check Temporal and TEMPORAL_ADDRESS.',
  edges: (count: number) =>
    plural(
      count,
      'One edge serves the sites and learns of every publish at once.',
      '# edges serve the sites and learn of every publish at once.',
    ),
  noEdges: 'No edge has registered, so an edge may show a publish up to a second late.',
  noEdgesRemedy: 'If the sites are not reachable, start an edge.',
  nothingWaits: 'Nothing is waiting.',
  queues: {
    jobs: (count: number) => plural(count, 'One publish waits or runs', '# publishes wait or run'),
    jobs_retried: (count: number) => plural(count, 'One publish is retried', '# publishes are retried'),
    deliveries: (count: number) => plural(count, 'One delivery waits', '# deliveries wait'),
    events: (count: number) => plural(count, 'One event waits to be sent', '# events wait to be sent'),
    media: (count: number) =>
      plural(count, 'One image or video waits for its variants', '# images and videos wait for their variants'),
  },
  since: (sentence: string, time: string) => `${sentence}, the oldest for ${time}.`,
  waitsLong: {
    jobs: 'Look at the worker: a publish normally takes seconds.',
    jobs_retried: 'The cause is named below.',
    deliveries: 'Look at the worker, and at the deliveries under Webhooks: one that fails is retried for hours.',
    events: 'Subscribers may not respond: see Events of the site.',
    media: 'Large videos take long. If no file proceeds, look at the worker.',
  },
  retried: (jobs: number, error: string) =>
    `${plural(jobs, 'One publish is retried', '# publishes are retried')}: ${error}`,
  retriedRemedy: 'It is tried again by itself.',
  refusedRemedy: 'An engine refuses it until its cause is removed. Then it is tried again by itself.',
  backupPlace: (place: string) => `Backups are kept in ${place}.`,
  ownDisk: 'If this folder is on the same disk as the data, one broken disk loses both.',
  ownDiskRemedy: 'Set BACKUP_S3_ENDPOINT, or copy the folder elsewhere.',
  schedule: (hours: number, keep: number) =>
    `Every site is backed up every ${plural(hours, 'hour', '# hours')}; the newest ${plural(keep, 'one is', '# are')} kept.`,
  noSchedule: 'Backups are only made on request.',
  noScheduleRemedy: 'Set FIELDSTONE_BACKUP_EVERY_HOURS.',
  backupsUnread: (why: string) => `The backups cannot be listed. ${why}`,
  backupsUnreadRemedy: 'Check the worker and the BACKUP_S3_ settings. Restoring needs this store too.',
  lastBackup: (site: string, age: string) => `The last backup of ${site} is from ${age}.`,
  neverBackedUp: (count: number, sites: string) =>
    plural(
      count,
      `One site has never been backed up: ${sites}.`,
      `# sites have never been backed up, for example ${sites}.`,
    ),
  backUpNow: 'Create one on the page Backups of the site.',
  backupsFresh: (sites: number, age: string) =>
    plural(
      sites,
      `The site has a backup; it is from ${age}.`,
      `Each of the # sites has a backup; the oldest of these is from ${age}.`,
    ),
  noSites: 'There is no site to back up yet.',
} as const;
