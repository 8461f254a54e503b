import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import type {
  activityRecord,
  changesRecord,
  releaseDifferenceRecord,
} from '../../features/publishing/dashboard-schema.ts';
import { useFollowed } from '../app/follow.ts';

export type Activity = z.output<typeof activityRecord>;
export type Job = Activity['jobs'][number];
export type Changes = z.output<typeof changesRecord>;
export type ReleaseDifference = z.output<typeof releaseDifferenceRecord>;

export const isUnderWay = ({ status }: Job): boolean => status === 'queued' || status === 'running';

/** The newest jobs of the site, as they proceed. When a job ends or another release becomes live, what depends on it is read again. */
export function useActivity(site: string) {
  const client = useQueryClient();
  const activity = useFollowed<Activity>(['activity', site], `/sites/${site}/activity`);
  const state = activity.data
    ? [activity.data.live_release, ...activity.data.jobs.map(({ uuid, finished_at }) => uuid + finished_at)].join(' ')
    : undefined;
  const known = useRef(state);
  useEffect(() => {
    if (known.current !== undefined && known.current !== state)
      for (const key of ['sites', 'changes', 'releases', 'shell-preview'])
        void client.invalidateQueries({ queryKey: [key, site] });
    known.current = state;
  }, [client, site, state]);
  return activity;
}
