/** The entry of the process that renders pages: plain data in, plain data out. */
import { serveSandbox } from '../../../../engines/sandbox/serve.ts';
import type { PageOrder, RenderReply, RenderSnapshot } from './protocol.ts';
import { createRenderSession } from './session.ts';

/** The one build that this process serves at the moment. */
let session: ReturnType<typeof createRenderSession> | null = null;

serveSandbox({
  open(snapshot: RenderSnapshot): null {
    session = createRenderSession(snapshot, null);
    return null;
  },
  render({ orders, bodies }: { orders: PageOrder[]; bodies: Map<string, string> }): RenderReply[] {
    if (!session) throw new Error('no session is open');
    return session.render(orders, bodies);
  },
  close(): null {
    session = null;
    return null;
  },
});
