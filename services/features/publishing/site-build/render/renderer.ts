import { fileURLToPath } from 'node:url';
import { readLastNote } from '../../../../engines/sandbox/components/work-note.ts';
import { createSandboxProcess, type SandboxProcess } from '../../../../engines/sandbox/process.ts';
import { SandboxError } from '../../../../engines/sandbox/sandbox-error.ts';
import { ContentFault } from '../model.ts';
import type { PageOrder, Renderer, RenderReply, RenderSession, RenderSnapshot } from './protocol.ts';

const entry = fileURLToPath(new URL('./child.ts', import.meta.url));
const memoryMb = 512;
/** A renderer that nobody has asked for this long is ended: an idle service should be small. */
const idleMs = 60_000;
const openTimeoutMs = 60_000;
/** One page may take ten seconds (the engine's own limit); this catches what the engine cannot. */
const renderTimeoutMs = 40_000;

/** A component can end the process in ways that no limit of an isolate catches. */
function blameComponent({ details }: SandboxError): ContentFault | null {
  const output = (details as { output?: string } | null)?.output ?? '';
  const note = readLastNote(output);
  if (!note) return null;
  return new ContentFault(
    `The page ${note.place} could not be rendered. The component "${note.component}" takes more time or memory than it may.`,
  );
}

/** A page that uses up the process is its author's to mend; a process that ended otherwise is not. */
function describeLoss(orders: readonly PageOrder[], error: unknown): unknown {
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

/** Lends out processes one at a time: a page that brings one down must not take another site's build along. */
function createLender(size: number) {
  const processes = Array.from({ length: size }, () =>
    createSandboxProcess({ entry, memoryMb, idleMs, env: { TZ: 'UTC' } }),
  );
  const free = [...processes];
  const waiting: ((process: SandboxProcess) => void)[] = [];
  return {
    borrow(): Promise<SandboxProcess> {
      const process = free.pop();
      return process ? Promise.resolve(process) : new Promise((resolve) => waiting.push(resolve));
    },
    giveBack(process: SandboxProcess): void {
      const next = waiting.shift();
      if (next) next(process);
      else free.push(process);
    },
    async stop(): Promise<void> {
      await Promise.all(processes.map((process) => process.stop()));
    },
  };
}

/** Renders in sandbox processes, `size` of them; each serves one build at a time. */
export function createRenderer(size: number): Renderer {
  const lender = createLender(size);

  function createSession(process: SandboxProcess): RenderSession {
    return {
      async render(orders, bodies) {
        const payload = { orders: [...orders], bodies: new Map(bodies) };
        try {
          return await process.call<RenderReply[]>('render', payload, { timeoutMs: renderTimeoutMs });
        } catch (error) {
          throw describeLoss(orders, error);
        }
      },
      close() {
        // the next build opens its own session; this only frees memory earlier
        process.call('close', null, { timeoutMs: openTimeoutMs }).catch(() => undefined);
        lender.giveBack(process);
      },
    };
  }

  return {
    async open(snapshot: RenderSnapshot): Promise<RenderSession> {
      const process = await lender.borrow();
      try {
        await process.call('open', snapshot, { timeoutMs: openTimeoutMs });
        return createSession(process);
      } catch (error) {
        lender.giveBack(process);
        throw error;
      }
    },
    close: () => lender.stop(),
  };
}
