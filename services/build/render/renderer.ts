import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createSandboxProcess } from '../../engines/sandbox/process.ts';
import { createItemSender } from './kept-items.ts';
import { createLane, type Pool, prefersOf, type Rendering, weightOf } from './lane.ts';
import { createLender } from './lender.ts';
import type { Renderer, RenderSession } from './protocol.ts';
import { createSiteUse } from './site-use.ts';

const entry = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Number of renderers: one per processor, within limits. All but one may serve heavy sites at once. */
const rendererProcesses = Math.min(16, Math.max(3, availableParallelism()));
/** Number of renderers that one build uses at most. */
const lanesPerBuild = Math.min(rendererProcesses, availableParallelism());
const memoryMb = 512;
/** As for the roles of one machine (cli/up/roles.ts): several renderers and a worker share its memory. */
const nodeArgs = ['--max-semi-space-size=4'];
const env = { TZ: 'UTC', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' };
/** A renderer idle for this long is ended, to save memory. */
const idleMs = 60_000;

function createSession(pool: Pool, rendering: Rendering): RenderSession {
  return {
    ...createLane(pool, rendering),
    extraLanes: lanesPerBuild - 1,
    extraLane() {
      const weight = weightOf(pool, rendering.snapshot.inputs.site.id);
      const process = pool.lender.borrowIdle(weight, prefersOf(pool, rendering));
      return process && createLane(pool, rendering, { process, weight, since: performance.now() });
    },
  };
}

/** Creates a renderer that uses sandbox processes. A page that crashes one does not stop another site's build. */
export function createRenderer(): Renderer {
  const processes = Array.from({ length: rendererProcesses }, () =>
    createSandboxProcess({ entry, memoryMb, idleMs, nodeArgs, env }),
  );
  const pool: Pool = {
    lender: createLender(processes, rendererProcesses - 1),
    use: createSiteUse(),
    opened: new Map(),
    senders: new Map(processes.map((process) => [process, createItemSender()])),
  };
  return {
    open: (snapshot, signal) => createSession(pool, { snapshot, session: {}, signal }),
    async close() {
      await Promise.all(processes.map((process) => process.stop()));
    },
  };
}
