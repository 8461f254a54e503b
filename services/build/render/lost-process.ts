import { readLastNote } from '../../engines/sandbox/components/work-note.ts';
import { SandboxError } from '../../engines/sandbox/sandbox-error.ts';
import { ContentFault } from '../model.ts';
import type { PageOrder } from './protocol.ts';

/** A component can end the process in ways that no limit of an isolate catches. */
function blameComponent({ details }: SandboxError): ContentFault | null {
  const output = (details as { output?: string } | null)?.output ?? '';
  const note = readLastNote(output);
  if (!note) return null;
  return new ContentFault(
    `The page ${note.place} could not be rendered. The component "${note.component}" takes more time or memory than it may.`,
  );
}

/**
 * What a renderer that was lost over these pages means: a ContentFault where a page used it up, which its author has to fix; the
 * error itself where the process ended otherwise.
 */
export function describeLoss(orders: readonly PageOrder[], error: unknown): unknown {
  const [first] = orders;
  if (!first || !(error instanceof SandboxError) || error.code === 'stopped' || error.code === 'failed') return error;
  const blamed = blameComponent(error);
  if (blamed) return blamed;
  if (!['timeout', 'memory'].includes(error.code)) return error;
  const others = orders.length > 1 ? ` or one of the ${orders.length - 1} after it` : '';
  const limit = error.code === 'memory' ? 'memory' : 'time';
  return new ContentFault(`The page ${first.plan.path}${others} takes more ${limit} than a page may.`, {
    cause: error,
  });
}
