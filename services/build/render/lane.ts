import { abortable } from '../../core/abortable.ts';
import type { SandboxProcess } from '../../engines/sandbox/process.ts';
import { SandboxError } from '../../engines/sandbox/sandbox-error.ts';
import { type ItemSender, splitItems } from './kept-items.ts';
import { isTurnOver, type Lender, type Weight } from './lender.ts';
import { explainLostRenderer } from './lost-process.ts';
import type { RenderLane, RenderReply, RenderRequest, RenderSnapshot, SentSnapshot } from './protocol.ts';
import { lightShareMs, type SiteUse } from './site-use.ts';

const openTimeoutMs = 60_000;
/** One page may take ten seconds (the engine's own limit); this catches what the engine cannot. */
const renderTimeoutMs = 40_000;

/** The renderers of a worker. */
export interface Pool {
  lender: Lender<SandboxProcess>;
  use: SiteUse;
  /** The session that each process has open. */
  opened: Map<SandboxProcess, object>;
  /** What each process has kept of the last snapshot. */
  senders: ReadonlyMap<SandboxProcess, ItemSender>;
}

/** A snapshot to render, and what identifies it to the processes that have it open. */
export interface Rendering {
  snapshot: RenderSnapshot;
  session: object;
  /** Aborted when the build must stop. */
  signal: AbortSignal;
}

/** The right to use a process. */
export interface Loan {
  process: SandboxProcess;
  weight: Weight;
  since: number;
}

const isTimeout = (error: unknown) => error instanceof SandboxError && error.code === 'timeout';

/** Returns how heavy a site is now. */
export const weightOf = ({ use }: Pool, siteId: string): Weight => (use.isHeavy(siteId) ? 'heavy' : 'light');

/** Returns whether a process probably has the snapshot open, or items of its site. */
export const prefersOf =
  ({ opened, senders }: Pool, { snapshot, session }: Rendering) =>
  (process: SandboxProcess): boolean =>
    opened.get(process) === session || senders.get(process)!.knows(snapshot.inputs.site.id);

/**
 * Creates a lane that renders pages of one snapshot in whichever process is available. A process that has served
 * another session opens the snapshot again. An extra lane has the loan of an idle process, and ends with it.
 */
export function createLane(pool: Pool, rendering: Rendering, extra: Loan | null = null): RenderLane {
  const { lender, use, opened, senders } = pool;
  const { snapshot, session, signal } = rendering;
  const siteId = snapshot.inputs.site.id;
  let loan = extra;
  /** Resolves when the process has ended the latest call. */
  let underWay: Promise<unknown> = Promise.resolve();

  async function run<T>({ process, weight }: Loan, method: string, payload: unknown, timeoutMs: number): Promise<T> {
    try {
      return await process.call<T>(method, payload, {
        timeoutMs,
        // a call of a light site that uses more is stopped and repeated as a call of a heavy site
        ...(weight === 'light' ? { processorMs: lightShareMs } : {}),
        onUsed: (ms) => use.add(siteId, ms),
      });
    } catch (error) {
      // a killed process has no open session
      opened.delete(process);
      throw error;
    }
  }

  function call<T>(loan: Loan, method: string, payload: unknown, timeoutMs: number): Promise<T> {
    const running = run<T>(loan, method, payload, timeoutMs);
    underWay = running.catch(() => undefined); // the caller handles the error
    return abortable(running, signal);
  }

  /** Ends the loan. A process still running a call of a stopped build is returned after that call ends. */
  function endLoan(): void {
    if (!loan) return;
    const { process, weight } = loan;
    loan = null;
    if (signal.aborted) void underWay.then(() => lender.release(process, weight));
    else lender.release(process, weight);
  }

  async function borrow(): Promise<Loan> {
    const weight = weightOf(pool, siteId);
    const process = await lender.borrow(weight, prefersOf(pool, rendering), signal);
    return { process, weight, since: performance.now() };
  }

  /** Opens the snapshot in a process, which may have kept items of the site's last build, or has been started again since. */
  async function open(loan: Loan): Promise<void> {
    const sender = senders.get(loan.process)!;
    const { inputs, ...rest } = snapshot;
    const { items, ...others } = inputs;
    for (const whole of [false, true]) {
      const { ahead, rest: last } = splitItems(sender.prepare(siteId, items, whole));
      const sent: SentSnapshot = { ...rest, inputs: others, items: last };
      try {
        for (const part of ahead) await call(loan, 'items', part, openTimeoutMs);
        if (await call<boolean>(loan, 'open', sent, openTimeoutMs)) return;
      } catch (error) {
        sender.forget();
        throw error;
      }
    }
    throw new Error('A renderer refused a whole snapshot.');
  }

  /** Makes one attempt to render pages in a borrowed process. */
  async function attempt(request: RenderRequest): Promise<RenderReply[]> {
    loan ??= await borrow();
    if (opened.get(loan.process) !== session) {
      // removed first: if the build stops during the call, the result is unknown
      opened.delete(loan.process);
      await open(loan);
      opened.set(loan.process, session);
    }
    return call<RenderReply[]>(loan, 'render', request, renderTimeoutMs);
  }

  /** Returns the process if the turn is over. */
  function endTurn(replies: readonly RenderReply[]): void {
    if (!loan) return;
    const { weight, since } = loan;
    const isOver = isTurnOver({
      weight,
      heldMs: performance.now() - since,
      isHeavyNow: use.isHeavy(siteId),
      isWanted: lender.isWanted(weight),
      awaitsBodies: replies.some(({ kind }) => kind === 'bodies'),
    });
    if (isOver || (extra && lender.isAwaited())) endLoan();
  }

  return {
    async render(request) {
      for (;;) {
        if (extra && !loan) return null;
        try {
          const replies = await attempt(request);
          endTurn(replies);
          return replies;
        } catch (error) {
          const asLight = loan?.weight === 'light';
          endLoan();
          signal.throwIfAborted();
          if (!asLight || !isTimeout(error)) throw explainLostRenderer(request.pages, error);
          use.add(siteId, lightShareMs); // heavy from now on, whatever decays meanwhile
        }
      }
    },
    close() {
      if (!loan) return;
      const { process } = loan;
      if (opened.get(process) === session) {
        // the next session opens its own snapshot; this only frees memory earlier, except for the items, which it may need
        opened.delete(process);
        process.call('close', null, { timeoutMs: openTimeoutMs }).catch(() => undefined);
      }
      endLoan();
    },
  };
}
