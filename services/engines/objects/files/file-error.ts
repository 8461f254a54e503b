import { type Problem, problem } from '../../../core/errors.ts';
import { recordUnavailable } from '../../unavailable.ts';

const code = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** Returns whether the file or folder does not exist. */
export const isAbsent = (error: unknown): boolean => code(error) === 'ENOENT';

const noSpace = ['ENOSPC', 'EDQUOT'];

/** Permanent refusals by the system. */
const refusals = ['EACCES', 'EPERM', 'EROFS', ...noSpace];

/** Converts a file system error to `unavailable`: the request itself is not at fault. */
export function fileProblem(cause: unknown, operation: string): Problem {
  const refusedAs = refusals.includes(code(cause)) ? code(cause) : undefined;
  recordUnavailable({ engine: 'objects', request: `files ${operation}`, cause, refusedAs });
  if (noSpace.includes(code(cause))) {
    const message = 'There is no space left on the disk of the objects; free some, and try again.';
    return problem('unavailable', message, { retryAfterSeconds: 30, cause, refusedAs });
  }
  const message = refusedAs
    ? `The service may not use the folder of the objects (${refusedAs}); its administrator has to change that.`
    : 'The folder of the objects cannot be used at the moment; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 2, cause, refusedAs });
}
