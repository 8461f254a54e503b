import { toProblem } from '../app/problem.ts';
import { strings } from '../app/strings.ts';
import { Button } from './button.tsx';

/** A failed request, as the service explains it: in place of what was asked for, or above a form. */
export function ProblemView({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { message, code, details, requestId, retryAfterSeconds } = toProblem(error);
  return (
    <div className="problem" role="alert">
      <h2>{strings.problemTitles[code] ?? strings.problemTitle}</h2>
      <p>{message}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message: detail }) => (
            <li key={`${path} ${detail}`}>
              <code>{path}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      {retryAfterSeconds !== null && <p>{strings.retryAfter(retryAfterSeconds)}</p>}
      {onRetry && <Button onPress={onRetry}>{strings.retry}</Button>}
      {requestId !== null && <p className="problem-request">{strings.requestId(requestId)}</p>}
    </div>
  );
}
