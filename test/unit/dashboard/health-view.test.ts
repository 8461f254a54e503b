import { expect, test } from '@jest/globals';
import {
  describeBackups,
  describeDuration,
  describeEngines,
  describeWaiting,
  type Finding,
  type Health,
} from '../../../services/dashboard/views/health/describe.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

const well: Health = {
  objects: { name: 'the folder /data/objects', problem: null },
  actors: { name: 'embedded', problem: null },
  edges: 2,
  backlog: (['jobs', 'jobs_retried', 'deliveries', 'events', 'media'] as const).map((queue) => ({
    queue,
    waiting: 0,
    oldest_seconds: 0,
  })),
  retried: [],
  backups: {
    every_hours: 24,
    keep: 7,
    place: 's3.example.com/backups',
    is_folder: false,
    newest: { sites: 2, without: 0, oldest: [{ site: 'field-notes', newest_at: hoursAgo(20) }] },
    problem: null,
  },
};
const problems = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'ok');

test('an installation that is well has sentences and nothing to do', () => {
  const all = [...describeEngines(well), ...describeWaiting(well), ...describeBackups(well, now)];
  expect(problems(all)).toEqual([]);
  expect(all.map(({ text }) => text)).toEqual([
    'The database responds.',
    'Published pages and media are kept in the folder /data/objects.',
    'A worker does the work: publishing, deliveries, images.',
    '2 edges serve the sites and learn of every publish at once.',
    'Nothing is waiting.',
    'Each of the 2 sites has a backup; the oldest of these is from 20 hours ago.',
    'Every site is backed up every 24 hours; the newest 7 are kept.',
    'Backups are kept in s3.example.com/backups.',
  ]);
});

test('engines that do not respond are problems with a way out; a missing edge is a note', () => {
  const findings = describeEngines({
    ...well,
    objects: { name: 'the bucket pages', problem: 'The disk is full.' },
    actors: { name: 'temporal', problem: 'It did not respond within 5 seconds.' },
    edges: 0,
  });
  expect(problems(findings)).toMatchObject([
    { level: 'bad', text: 'The store of pages and media, the bucket pages, has a problem. The disk is full.' },
    { level: 'bad', text: 'Temporal does not respond. It did not respond within 5 seconds.' },
    { level: 'note', text: expect.stringMatching('No edge has registered') },
  ]);
  expect(problems(findings).every(({ remedy }) => remedy)).toBe(true);
});

test('work that waits says how much and how long; what waits long and jobs that are retried say what to do', () => {
  const backlog = [
    { queue: 'deliveries' as const, waiting: 3, oldest_seconds: 120 },
    { queue: 'jobs' as const, waiting: 1, oldest_seconds: 7300 },
    { queue: 'jobs_retried' as const, waiting: 2, oldest_seconds: 7300 },
  ];
  const retried = [
    { error: 'The object store does not respond.', jobs: 1, refused: 0 },
    { error: 'The build needs more memory.', jobs: 2, refused: 1 },
  ];
  expect(describeWaiting({ ...well, backlog, retried })).toMatchObject([
    { level: 'ok', text: '3 deliveries wait, the oldest for 2 minutes.' },
    { level: 'note', text: 'One publish waits or runs, the oldest for 2 hours.' },
    { level: 'note', text: 'One publish is retried: The object store does not respond.' },
    { level: 'bad', text: '2 publishes are retried: The build needs more memory.' },
  ]);
});

test('a backup that is older than its schedule, or missing, is a problem; without a schedule only a missing one is told', () => {
  const oldest = [
    { site: 'new-site', newest_at: null },
    { site: 'field-notes', newest_at: hoursAgo(40) },
    { site: 'other', newest_at: hoursAgo(3) },
  ];
  const late = { ...well, backups: { ...well.backups, newest: { sites: 3, without: 1, oldest } } };
  expect(problems(describeBackups(late, now))).toMatchObject([
    { level: 'bad', text: 'One site has never been backed up: new-site.' },
    { level: 'bad', text: 'The last backup of field-notes is from 2 days ago.' },
  ]);
  const onRequest = { ...late, backups: { ...late.backups, every_hours: 0 } };
  expect(problems(describeBackups(onRequest, now)).map(({ level, text }) => [level, text])).toEqual([
    ['note', 'One site has never been backed up: new-site.'],
    ['note', 'Backups are only made on request.'],
  ]);
});

test('a store of backups that cannot be read, and one in a folder, are told', () => {
  const backups = { ...well.backups, is_folder: true, newest: null, problem: 'A worker did not respond.' };
  expect(problems(describeBackups({ ...well, backups }, now)).map(({ level }) => level)).toEqual(['bad', 'note']);
  const empty = { ...well.backups, newest: { sites: 0, without: 0, oldest: [] } };
  expect(problems(describeBackups({ ...well, backups: empty }, now))).toEqual([]);
});

test.each([
  [0.4, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [7200, '2 hours'],
  [86_400 * 3, '3 days'],
])('%d seconds are %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text);
});
