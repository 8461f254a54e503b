import { fileURLToPath } from 'node:url';
import { createSandboxProcess, type SandboxProcess } from '../../engines/sandbox/process.ts';
import { SandboxError } from '../../engines/sandbox/sandbox-error.ts';
import { createLender, type Lender, type Weight } from './lender.ts';
import { describeLoss } from './lost-process.ts';
import type { RenderAsk, Renderer, RenderReply, RenderSession, RenderSnapshot } from './protocol.ts';
import { createSiteUse, lightShareMs, type SiteUse } from './site-use.ts';

const entry = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Renderers, and how many of them heavy sites may use at once. */
const rendererProcesses = 3;
const heavyProcesses = 2;
const memoryMb = 512;
/** A renderer that nobody has asked for this long is ended: an idle service should be small. */
const idleMs = 60_000;
const openTimeoutMs = 60_000;
/** One page may take ten seconds (the engine's own limit); this catches what the engine cannot. */
const renderTimeoutMs = 40_000;
/** A call of a light site that takes longer is stopped, and made again as one of a heavy site. */
const lightTimeoutMs = lightShareMs;
/** A heavy site has a renderer for so long while others wait: opening a large site again costs time too. */
const heavyTurnMs = 5_000;

interface Pool {
  lender: Lender<SandboxProcess>;
  use: SiteUse;
  /** The session that each process has open. */
  opened: Map<SandboxProcess, object>;
}

interface Loan {
  process: SandboxProcess;
  weight: Weight;
  since: number;
}

const isTimeout = (error: unknown) => error instanceof SandboxError && error.code === 'timeout';

/** Renders pages of one snapshot in whichever process is its turn: what a process forgot meanwhile is opened again. */
function createSession({ lender, use, opened }: Pool, snapshot: RenderSnapshot): RenderSession {
  const self = {};
  const siteId = snapshot.inputs.site.id;
  const weightNow = (): Weight => (use.isHeavy(siteId) ? 'heavy' : 'light');
  let loan: Loan | null = null;

  async function call<T>({ process, weight }: Loan, method: string, payload: unknown, timeoutMs: number): Promise<T> {
    const startedAt = performance.now();
    try {
      const limitMs = weight === 'light' ? Math.min(lightTimeoutMs, timeoutMs) : timeoutMs;
      return await process.call<T>(method, payload, { timeoutMs: limitMs });
    } catch (error) {
      // a killed process has nothing open
      opened.delete(process);
      throw error;
    } finally {
      use.add(siteId, performance.now() - startedAt);
    }
  }

  function giveBack(): void {
    if (!loan) return;
    lender.giveBack(loan.process, loan.weight);
    loan = null;
  }

  async function borrow(): Promise<Loan> {
    const weight = weightNow();
    const process = await lender.borrow(weight, (one) => opened.get(one) === self);
    return { process, weight, since: performance.now() };
  }

  /** One attempt to have pages rendered by the process whose turn it is. */
  async function attempt(ask: RenderAsk): Promise<RenderReply[]> {
    loan ??= await borrow();
    if (opened.get(loan.process) !== self) {
      await call(loan, 'open', snapshot, openTimeoutMs);
      opened.set(loan.process, self);
    }
    return call<RenderReply[]>(loan, 'render', ask, renderTimeoutMs);
  }

  /** Makes room for others where its turn is over. A page that waits for what it asked for is made first: a process forgets. */
  function endTurn(replies: readonly RenderReply[]): void {
    if (!loan || replies.some(({ kind }) => kind === 'bodies')) return;
    const isOver = loan.weight === 'light' ? weightNow() === 'heavy' : performance.now() - loan.since > heavyTurnMs;
    if (isOver && (loan.weight === 'light' || lender.isWanted(loan.weight))) giveBack();
  }

  return {
    async render(ask) {
      for (;;) {
        try {
          const replies = await attempt(ask);
          endTurn(replies);
          return replies;
        } catch (error) {
          const asLight = loan?.weight === 'light';
          giveBack();
          if (!asLight || !isTimeout(error)) throw describeLoss(ask.orders, error);
          use.add(siteId, lightShareMs); // heavy from here, whatever is forgiven meanwhile
        }
      }
    },
    close() {
      if (!loan) return;
      const { process } = loan;
      if (opened.get(process) === self) {
        // the next session opens its own; this only frees memory earlier
        opened.delete(process);
        process.call('close', null, { timeoutMs: openTimeoutMs }).catch(() => undefined);
      }
      giveBack();
    },
  };
}

/** Renders in sandbox processes. A page that brings one down does not take another site's build along. */
export function createRenderer(): Renderer {
  const processes = Array.from({ length: rendererProcesses }, () =>
    createSandboxProcess({ entry, memoryMb, idleMs, env: { TZ: 'UTC' } }),
  );
  const pool: Pool = { lender: createLender(processes, heavyProcesses), use: createSiteUse(), opened: new Map() };
  return {
    open: (snapshot) => createSession(pool, snapshot),
    async close() {
      await Promise.all(processes.map((process) => process.stop()));
    },
  };
}
