import { type Problem, problem } from '../../../core/errors.ts';
import { countUnavailable } from '../../metrics.ts';

const code = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** The file or folder is not there. */
export const isAbsent = (error: unknown): boolean => code(error) === 'ENOENT';

const noSpace = ['ENOSPC', 'EDQUOT'];

/** What the file system says, as `unavailable`: nothing is wrong with the request. */
export function fileProblem(cause: unknown): Problem {
  countUnavailable('objects');
  if (noSpace.includes(code(cause))) {
    const message = 'There is no space left on the disk that holds the objects; free some, and try again.';
    return problem('unavailable', message, { retryAfterSeconds: 30, cause });
  }
  const message = 'The folder that holds the objects cannot be used at the moment; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause });
}
