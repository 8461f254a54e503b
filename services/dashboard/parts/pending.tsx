import { strings } from '../app/strings.ts';

/** A placeholder for content that is being loaded. It stays invisible for 200 ms, so that fast replies show no spinner. */
export const Pending = () => (
  <div className="pending" role="status">
    <span className="visually-hidden">{strings.loading}</span>
  </div>
);
