import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { dataOf, rest } from '../../app/api.ts';
import { type Command, useCommands } from '../../app/commands.ts';
import { isUnderWay, type Job } from '../../parts/activity.ts';
import { Button } from '../../parts/button.tsx';
import { JobProgress } from '../../parts/job-progress.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { useRollback } from './rollback.ts';
import { strings } from './strings.ts';

interface Started {
  job: string;
  /** The release that was live when the publish was started. */
  replaced: string | null;
}

/** Publishes the site. When the job has succeeded it says so, and offers to undo it, which makes the release before live again. */
export function PublishButton({ site, jobs, live }: { site: string; jobs: readonly Job[]; live: string | null }) {
  const [started, setStarted] = useState<Started>();
  const rollBack = useRollback(site);
  const publish = useMutation({
    mutationFn: () => dataOf(rest.POST('/sites/{site}/publish', { params: { path: { site } } })),
    onSuccess: ({ job }) => setStarted({ job, replaced: live }),
    onError: notifyProblem,
  });
  const job = jobs.find(({ uuid }) => uuid === started?.job);
  const isWaiting = publish.isPending || (started !== undefined && (job === undefined || isUnderWay(job)));

  useEffect(() => {
    if (!started || !job || isUnderWay(job)) return;
    setStarted(undefined);
    if (!job.result) return; // it failed: the section of jobs says why
    const { release, changed } = job.result;
    const { replaced } = started;
    const undo =
      replaced === null || replaced === release ? undefined : () => rollBack({ to: replaced, from: release });
    notify(strings.publishedNotice(changed), undo ? { undo } : {});
  }, [job, rollBack, started]);

  const { mutate } = publish;
  const commands = useMemo(
    (): Command[] => [
      { id: 'publish', title: strings.publishCommand, group: strings.publishGroup, run: () => mutate() },
    ],
    [mutate],
  );
  useCommands(commands);
  return (
    <Button variant="primary" isPending={isWaiting} onPress={() => mutate()}>
      {isWaiting ? strings.publishing : strings.publish}
    </Button>
  );
}

/** The progress of the publish that runs now, or waits; nothing otherwise. */
export function PublishProgress({ jobs }: { jobs: readonly Job[] }) {
  const waiting = jobs.filter((job) => isUnderWay(job) && job.kind !== 'rebuild');
  const job = waiting.find(({ status }) => status === 'running') ?? waiting.at(-1);
  return job ? <JobProgress key={job.uuid} job={job} /> : null;
}
