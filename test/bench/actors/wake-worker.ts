import { createLogger } from '../../../services/core/log.ts';
import { createEmbeddedHost } from '../../../services/engines/actors/embedded/host.ts';
import type { CallHandlers } from '../../../workflows/contracts/runtime.ts';

/** A worker that tells its parent when a turn begins. Run: node wake-worker.ts SOCKET */
const tell = (message: unknown) => process.send!(message);
const handlers: Partial<CallHandlers> = {
  async planSite() {
    tell(performance.timeOrigin + performance.now());
    return { do: 'idle' };
  },
};
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
await createEmbeddedHost(process.argv[2]!, createLogger('bench', 'silent')).run({
  handlers: handlers as CallHandlers,
  queues: ['general', 'inbox', 'media'],
  onReady: () => tell('ready'),
  signal: stopping.signal,
});
process.exit(0);
