import { describeAge, describeTime } from '../app/format.ts';

/** A time as its distance from now; the exact time is its tooltip. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={describeTime(at)}>
    {describeAge(at)}
  </time>
);
