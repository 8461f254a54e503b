import { Suspense } from 'react';
import { Label } from 'react-aria-components/Label';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import { describeSeconds } from '../app/format.ts';
import type { Job } from './activity.ts';
import { jobStrings as strings } from './job-strings.ts';
import sheet from './progress.css?url';
import { Sheet } from './sheet.tsx';
import { useTimeLeft } from './time-left.ts';

/** What a job does now, how far it is, and the time that is left. The rest of the page stays while the sheet is loaded. */
export const JobProgress = ({ job }: { job: Job }) => (
  <Suspense>
    <Progress job={job} />
  </Suspense>
);

function Progress({ job }: { job: Job }) {
  const { stage, done, total } = job.progress;
  const left = useTimeLeft(job);
  const isCounting = total > 0;
  return (
    <>
      <Sheet url={sheet} />
      <ProgressBar
        className="progress"
        isIndeterminate={!isCounting}
        {...(isCounting ? { value: done, maxValue: total } : {})}
        valueLabel={isCounting ? strings.pagesDone(done, total) : undefined}
      >
        {({ percentage, valueText }) => (
          <>
            <Label>{strings.stages[stage] ?? strings.working}</Label>
            <span className="progress-value">
              {isCounting && valueText}
              {left !== undefined && ` · ${strings.timeLeft(describeSeconds(left))}`}
            </span>
            <span className="progress-track">
              <span
                className="progress-fill"
                data-indeterminate={!isCounting || undefined}
                style={isCounting ? { inlineSize: `${percentage}%` } : undefined}
              />
            </span>
          </>
        )}
      </ProgressBar>
    </>
  );
}
