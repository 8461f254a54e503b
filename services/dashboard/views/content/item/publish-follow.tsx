import { Link } from '@tanstack/react-router';
import { isUnderWay, useActivity } from '../../../parts/activity.ts';
import { JobProgress } from '../../../parts/job-progress.tsx';
import { strings } from './strings.ts';

/** Follows the publish that the page has started, until its page is live or the job has failed. */
export function PublishFollow({ site, job: uuid, url }: { site: string; job: string; url: string }) {
  const { data } = useActivity(site);
  const job = data?.jobs.find((one) => one.uuid === uuid);
  const outcome = () => {
    if (!job) return <p>{strings.publishWaits}</p>;
    if (isUnderWay(job)) return null;
    if (job.status === 'succeeded')
      return (
        <p>
          {strings.isLive}{' '}
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </p>
      );
    return (
      <p className="form-problem">
        {strings.publishFailed(job.error?.message ?? '')} <Link to={`/sites/${site}`}>{strings.toOverview}</Link>
      </p>
    );
  };
  return (
    <div className="item-publishing">
      {/* the start and the outcome are announced, not each step */}
      <div role="status">{outcome()}</div>
      {job && isUnderWay(job) && <JobProgress key={uuid} job={job} />}
    </div>
  );
}
