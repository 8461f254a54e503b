import { Readable } from 'node:stream';
import { invalid, Problem } from '../../core/errors.ts';
import type { Context, Stage } from '../context.ts';
import { readJson } from '../stages/json.ts';

/** The arguments of a tool call, except the action. */
export interface Arguments {
  body?: Record<string, unknown> | undefined;
  text?: string | undefined;
  base64?: string | undefined;
  filename?: string | undefined;
}

/**
 * Returns the bytes that a call passes as text or base64. Throws `validation_failed` for neither, or invalid base64.
 */
function bytesOf({ text, base64 }: Arguments): Buffer {
  if (base64 === undefined && text === undefined) throw invalid([{ path: 'text', message: 'is required, or base64' }]);
  if (base64 === undefined) return Buffer.from(text!);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw invalid([{ path: 'base64', message: 'is not base64' }]);
  return Buffer.from(base64, 'base64');
}

/** Checks JSON of a tool like JSON of a request: the number of values, harmful members, text that cannot be stored. */
const readMembers = (body: Record<string, unknown> | undefined, apart?: string) =>
  readJson(Buffer.from(JSON.stringify(body ?? {})), apart);

/** Passes a file and its members to the reader of forms that the route declares. */
async function readFile(ctx: Context, args: Arguments): Promise<void> {
  const kind = ctx.route!.body;
  if (kind.kind !== 'custom') return;
  const form = new FormData();
  for (const [name, value] of Object.entries(args.body ?? {})) {
    if (typeof value === 'object') throw invalid([{ path: name, message: 'must not be an object, a list or null' }]);
    form.set(name, String(value));
  }
  form.set('file', new File([new Uint8Array(bytesOf(args))], args.filename ?? 'file'));
  const encoded = new Response(form);
  const { value, fault } = await kind.read({
    app: ctx.app,
    userId: ctx.caller!.userId,
    site: ctx.site,
    headers: { 'content-type': encoded.headers.get('content-type')! },
    stream: Readable.fromWeb(encoded.body as never),
  });
  ctx.body = value;
  if (fault) ctx.bodyFault = fault;
}

async function give(ctx: Context, args: Arguments): Promise<void> {
  const kind = ctx.route!.body;
  switch (kind.kind) {
    case 'json':
      ctx.body = await readMembers(args.body, kind.apart);
      return;
    case 'custom':
      if (args.base64 === undefined) ctx.body = await readMembers(args.body);
      else await readFile(ctx, args);
      return;
    case 'raw': {
      const bytes = bytesOf(args);
      if (bytes.length > kind.maxBytes)
        throw new Problem('too_large', `At most ${kind.maxBytes} bytes are allowed here.`);
      ctx.body = bytes;
      return;
    }
    case 'ignored':
    case 'empty':
      return;
    case 'protocol':
      throw new Error(`${ctx.route!.operationId} has its own protocol and cannot be a tool.`);
  }
}

/**
 * Creates the stage that takes the body of an operation from the arguments of a tool. Throws what reading a body
 * throws.
 */
export function takeBodyFrom(args: Arguments): Stage {
  return async (ctx) => {
    await give(ctx, args);
    return undefined;
  };
}
