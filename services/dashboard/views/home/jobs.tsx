import { isUnderWay, type Job } from '../../parts/activity.ts';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { strings } from './strings.ts';

/** Returns the jobs that run or wait, and those that have failed since one of their kind has succeeded. */
function relevant(jobs: readonly Job[]): Job[] {
  const isFailed = ({ kind, status, created_at }: Job) =>
    status === 'failed' &&
    !jobs.some((other) => other.kind === kind && other.status === 'succeeded' && other.created_at > created_at);
  return jobs.filter((job) => isUnderWay(job) || isFailed(job));
}

function JobRow({ job: { kind, status, progress, error, created_at } }: { job: Job }) {
  const isFailed = status === 'failed';
  return (
    <li data-failed={isFailed || undefined} className="job">
      <div>
        <strong>{strings.jobKinds[kind]}</strong>{' '}
        <span className="quiet">
          {isFailed ? strings.jobFailed : (strings.stages[progress.stage] ?? strings.working)}
        </span>
        {error && <p className="job-error">{error.message}</p>}
        {error && !isFailed && <p className="quiet">{strings.jobRetried}</p>}
      </div>
      <small>
        <Time at={created_at} />
      </small>
    </li>
  );
}

/** The jobs that need attention: those under way, and failures with their cause (template, line and message). */
export function JobsSection({ jobs }: { jobs: readonly Job[] }) {
  const shown = relevant(jobs);
  return (
    <Section title={strings.jobs} facts={strings.jobsFact}>
      {shown.length === 0 ? (
        <p className="quiet">{strings.noJobs}</p>
      ) : (
        <ul className="rows">
          {shown.map((job) => (
            <JobRow key={job.uuid} job={job} />
          ))}
        </ul>
      )}
    </Section>
  );
}
