import { createHash } from 'node:crypto';
import { createTwigEnvironment, type HostCallable, TwigError } from '../../../twig/index.ts';
import { ComponentFailure } from './component-failure.ts';

/** The functions of the shell in a trial, which has no files, items or other components. */
const functions: Readonly<Record<string, HostCallable>> = {
  posts: () => [],
  pages: () => [],
  media: () => null,
  component: () => '',
  asset: ([path]) => (typeof path === 'string' ? path : ''),
  url: ([target]) => (typeof target === 'string' ? target : '#'),
  t: ([text]) => (typeof text === 'string' ? text : ''),
};

/** UTF-8 bytes of the markup of a trial. */
export const maxTrialBytes = 1_000_000;

/** Renders the template of an HTML component on its own, as at most `maxTrialBytes`. Throws a ComponentFailure. */
export function tryTemplate(
  handle: string,
  source: string,
  context: Record<string, unknown>,
  { timeoutMs }: { timeoutMs: number },
): string {
  // compiled templates are kept by hash for the life of the process, which serves all sites
  const hash = createHash('sha256').update(source).digest('hex');
  const environment = createTwigEnvironment({
    getSource: (name) => (name === handle ? { source, hash } : null),
    functions: { ...functions },
    limits: { timeoutMs, maxOutputBytes: maxTrialBytes },
  });
  try {
    return environment.render(handle, context);
  } catch (error) {
    if (!(error instanceof TwigError)) throw error;
    throw new ComponentFailure(error.line > 0 ? `line ${error.line}: ${error.message}` : error.message);
  }
}
