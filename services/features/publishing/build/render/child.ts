/** The process that renders pages: it gets plain data, answers plain data, and has nothing else to do with the world. */
import type { PageOrder, RenderReply, RenderSnapshot } from './protocol.ts';
import { createRenderSession } from './session.ts';

export type ChildRequest =
  | { kind: 'open'; id: number; snapshot: RenderSnapshot }
  | { kind: 'render'; id: number; orders: PageOrder[]; bodies: Map<string, string> }
  | { kind: 'close'; id: number };

export type ChildAnswer = { id: number; replies: RenderReply[] } | { id: number; failure: string };

/** The one build that this process serves at the moment. */
let session: ReturnType<typeof createRenderSession> | null = null;

function work(request: ChildRequest): RenderReply[] {
  if (request.kind === 'render') {
    if (!session) throw new Error('no session is open');
    return session.render(request.orders, request.bodies);
  }
  session = request.kind === 'open' ? createRenderSession(request.snapshot, null) : null;
  return [];
}

process.on('message', (request: ChildRequest) => {
  let answer: ChildAnswer;
  try {
    answer = { id: request.id, replies: work(request) };
  } catch (error) {
    answer = { id: request.id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send!(answer);
});
process.on('disconnect', () => process.exit(0));
