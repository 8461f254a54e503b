import type { z } from 'zod';
import type { healthRecord } from '../../../features/health/dashboard-schema.ts';
import { describeAge } from '../../app/format.ts';
import { strings } from './strings.ts';

export type Health = z.output<typeof healthRecord>;

/** A sentence about one thing. `note`: worth knowing; `bad`: something must be done. */
export interface Finding {
  level: 'ok' | 'note' | 'bad';
  text: string;
  /** What to do. */
  remedy?: string;
}

/** Work that waits longer than this is worth a look; publishing takes seconds, a retry at most minutes. */
const longWaitSeconds = 10 * 60;
const hourMs = 60 * 60 * 1000;
/** A backup may be this much older than its schedule: the sweep runs every few minutes, and a backup takes a while. */
const graceFactor = 1.5;
/** Sites that one sentence names. */
const maxNamed = 3;

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a duration in its largest unit, such as `2 minutes`. */
export function describeDuration(seconds: number): string {
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
  const count = Math.max(1, Math.round(seconds / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const bad = (text: string, remedy: string): Finding => ({ level: 'bad', text, remedy });
const note = (text: string, remedy: string): Finding => ({ level: 'note', text, remedy });
const good = (text: string): Finding => ({ level: 'ok', text });

/** Returns the state of database, store, runtime and edges. */
export function describeEngines({ objects, actors, edges }: Health): Finding[] {
  const isOwn = actors.name === 'embedded';
  return [
    good(strings.database),
    objects.problem === null
      ? good(strings.objects(objects.name))
      : bad(strings.objectsBad(objects.name, objects.problem), strings.objectsRemedy),
    actors.problem === null
      ? good(isOwn ? strings.worker : strings.temporal)
      : isOwn
        ? bad(strings.workerBad(actors.problem), strings.workerRemedy)
        : bad(strings.temporalBad(actors.problem), strings.temporalRemedy),
    edges > 0 ? good(strings.edges(edges)) : note(strings.noEdges, strings.noEdgesRemedy),
  ];
}

/** Returns what waits, and why jobs are retried. */
export function describeWaiting({ backlog, retried }: Health): Finding[] {
  const waiting = backlog
    .filter(({ waiting: count, queue }) => count > 0 && queue !== 'jobs_retried')
    .map(({ queue, waiting: count, oldest_seconds }) => {
      const text = strings.since(strings.queues[queue](count), describeDuration(oldest_seconds));
      return oldest_seconds > longWaitSeconds ? note(text, strings.waitsLong[queue]) : good(text);
    });
  const causes = retried.map(({ jobs, refused, error }) =>
    refused > 0
      ? bad(strings.retried(jobs, error), strings.refusedRemedy)
      : note(strings.retried(jobs, error), strings.retriedRemedy),
  );
  const all = [...waiting, ...causes];
  return all.length > 0 ? all : [good(strings.nothingWaits)];
}

function describeNewest({ backups: { every_hours, newest, problem } }: Health, now: number): Finding[] {
  if (!newest) return [bad(strings.backupsUnread(problem ?? ''), strings.backupsUnreadRemedy)];
  if (newest.sites === 0) return [good(strings.noSites)];
  // without a schedule the age of a backup is not a fault
  const maxAgeMs = every_hours === 0 ? Number.POSITIVE_INFINITY : every_hours * graceFactor * hourMs;
  const level = every_hours === 0 ? note : bad;
  const never = newest.oldest.flatMap(({ site, newest_at: at }) => (at === null ? [site] : []));
  const dated = newest.oldest.flatMap(({ site, newest_at: at }) => (at === null ? [] : [{ site, at }]));
  const late = dated.filter(({ at }) => now - Date.parse(at) > maxAgeMs);
  const findings = [
    ...(newest.without > 0
      ? [level(strings.neverBackedUp(newest.without, never.slice(0, maxNamed).join(', ')), strings.backUpNow)]
      : []),
    ...late.map(({ site, at }) => level(strings.lastBackup(site, describeAge(at, now)), strings.backUpNow)),
  ];
  return findings.length > 0 ? findings : [good(strings.backupsFresh(newest.sites, describeAge(dated[0]!.at, now)))];
}

/** Returns where backups are, their schedule, and the sites whose newest backup is too old. */
export function describeBackups(health: Health, now: number): Finding[] {
  const { every_hours, keep, place, is_folder } = health.backups;
  return [
    ...describeNewest(health, now),
    every_hours === 0 ? note(strings.noSchedule, strings.noScheduleRemedy) : good(strings.schedule(every_hours, keep)),
    good(strings.backupPlace(place)),
    ...(is_folder ? [note(strings.ownDisk, strings.ownDiskRemedy)] : []),
  ];
}
