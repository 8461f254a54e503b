/** The entry of the process that renders pages: plain data in, plain data out. */
// first, because it disables the network
import '../../engines/sandbox/serve.ts';

import { createReactRunner } from '../../engines/sandbox/components/react-runner.ts';
import { leaveNote } from '../../engines/sandbox/components/work-note.ts';
import { serveSandbox } from '../../engines/sandbox/serve.ts';
import { createItemReceiver, type ItemsPart } from './kept-items.ts';
import { createListKeeper } from './kept-lists.ts';
import type { RenderReply, RenderRequest, SentSnapshot } from './protocol.ts';
import { createRenderSession } from './session.ts';

/** The build that this process currently serves. */
let session: ReturnType<typeof createRenderSession> | null = null;
const componentTimeoutMs = 5_000;
/** Each build has its own isolate, so that components of two sites never share one. */
let react: ReturnType<typeof createReactRunner> | null = null;
const received = createItemReceiver();
const listItems = createListKeeper();

function close(): void {
  react?.close();
  react = null;
  session = null;
}

serveSandbox({
  /** Receives a part of the items of the next snapshot. */
  items(part: ItemsPart): null {
    close();
    received.add(part);
    return null;
  },
  /** Returns false if the items must be sent whole. */
  open({ items: sent, inputs, ...snapshot }: SentSnapshot): boolean {
    close();
    const items = received.receive(sent);
    if (!items) return false;
    react = createReactRunner({ nowMs: Date.now(), timeoutMs: componentTimeoutMs, onWork: leaveNote });
    const lists = listItems(items, inputs.site, sent.base !== null);
    session = createRenderSession({ ...snapshot, inputs: { ...inputs, items } }, react, { lists });
    return true;
  },
  render(request: RenderRequest): RenderReply[] {
    if (!session) throw new Error('no session is open');
    return session.render(request);
  },
  close(): null {
    close();
    return null;
  },
});
