import { readLastNote } from '../../engines/sandbox/components/work-note.ts';
import { SandboxError } from '../../engines/sandbox/sandbox-error.ts';
import { ContentFault } from '../model.ts';
import type { PlannedPage } from './protocol.ts';

/** Returns the fault of a component that ended the process in a way that no isolate limit catches, or null. */
function findComponentFault({ details }: SandboxError): ContentFault | null {
  const output = (details as { output?: string } | null)?.output ?? '';
  const note = readLastNote(output);
  if (!note) return null;
  return new ContentFault(
    `The page ${note.place} could not be rendered. The component "${note.component}" exceeds its limit of time or memory.`,
  );
}

/**
 * Returns the error for a renderer that was lost while rendering these pages: a ContentFault if a page exceeded a
 * limit, which its author has to fix; otherwise the error itself.
 */
export function explainLostRenderer(pages: readonly PlannedPage[], error: unknown): unknown {
  const [first] = pages;
  if (!first || !(error instanceof SandboxError) || error.code === 'stopped' || error.code === 'failed') return error;
  const blamed = findComponentFault(error);
  if (blamed) return blamed;
  if (!['timeout', 'memory'].includes(error.code)) return error;
  const others = pages.length > 1 ? ` or one of the ${pages.length - 1} after it` : '';
  const limit = error.code === 'memory' ? 'memory' : 'time';
  return new ContentFault(`The page ${first.plan.path}${others} exceeds the ${limit} limit of a page.`, {
    cause: error,
  });
}
