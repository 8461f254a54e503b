import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { invalid } from '../../core/errors.ts';
import type { Caller } from '../../core/http.ts';
import type { Reply } from '../../core/reply.ts';
import type { AppRoute } from '../../features/route.ts';
import type { Context, Stage } from '../context.ts';
import { openLargeTexts, partsOf } from '../large-reply.ts';
import { runStages, type Stages } from '../pipeline.ts';
import { basePath } from '../target.ts';
import { type Arguments, takeBodyFrom } from './body.ts';

/** The arguments of a call of a tool. */
export interface CallArguments extends Arguments {
  action: string;
  query?: Record<string, unknown> | undefined;
  if_match?: string | undefined;
  confirm?: string | undefined;
  /** The parameters of the path. */
  [name: string]: unknown;
}

/** The reply of an operation. */
export interface Outcome {
  status: number;
  data?: unknown;
  pagination?: unknown;
  error?: { code: string; message: string; details?: unknown };
  etag?: string | undefined;
}

/** A longer result would fill the context of a model. */
const maxResultBytes = 400 * 1024;

/** Returns the names of the parameters in a route's path; `path` is its wildcard. */
export const parametersOf = ({ path }: Pick<AppRoute, 'path'>): string[] => [
  ...[...path.matchAll(/:(\w+)/g)].map((match) => match[1]!),
  ...(path.endsWith('*') ? ['path'] : []),
];

function readParameters(route: AppRoute, args: CallArguments): Record<string, string> {
  const read = parametersOf(route).map((name): [string, string] => {
    const value = args[name];
    if (typeof value !== 'string' || value === '') throw invalid([{ path: name, message: 'is required' }]);
    return [name, value];
  });
  return Object.fromEntries(read);
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function searchOf(query: Record<string, unknown> = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    entries.map(([name, value]): [string, string] => [name, Array.isArray(value) ? value.join(',') : textOf(value)]),
  );
  return search.size > 0 ? `?${search}` : '';
}

/** Creates the context of an operation within the request to the agent endpoint. It has no header of that request. */
function createContext(parent: Context, caller: Caller, route: AppRoute, args: CallArguments): Context {
  const { app, res, requestId, clientIp, within } = parent;
  const values = readParameters(route, args);
  const rest = values['path']?.split('/').map(encodeURIComponent).join('/');
  const path = route.path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name]!))
    .replace(/\*$/, rest ?? '');
  const { path: _, ...params } = values;
  const headers = args.if_match === undefined ? {} : { 'if-match': args.if_match };
  const isWild = route.path.endsWith('*');
  return {
    app,
    req: Object.create(parent.req, { headers: { value: headers } }) as IncomingMessage,
    res,
    requestId,
    clientIp,
    within,
    method: route.method,
    path: basePath + path,
    search: searchOf(args.query),
    replyHeaders: {},
    caller,
    route,
    params: isWild ? { ...params, '*': rest! } : values,
    ...(isWild ? { rest: rest! } : {}),
  };
}

const tooLong = {
  status: 413,
  error: {
    code: 'too_large',
    message: 'The result is too long for an agent. Ask for fewer records (query.per_page) or members (query.fields).',
  },
};

/** Returns the bytes of a reply, or undefined if there are too many. */
async function bytesOf(ctx: Context, { bytes, large }: Reply): Promise<Buffer | undefined> {
  if (!large) return bytes && bytes.length > maxResultBytes ? undefined : (bytes ?? Buffer.alloc(0));
  await openLargeTexts(large);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of partsOf(large, ctx.takeMemory!())) {
    const chunk = Buffer.from(part);
    length += chunk.length;
    if (length > maxResultBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Returns the text of a file, or its bytes in base64 if they are not text. */
const textOrBase64 = (bytes: Buffer) => (isUtf8(bytes) ? bytes.toString() : { base64: bytes.toString('base64') });

async function readReply(ctx: Context, reply: Reply): Promise<Outcome> {
  const bytes = await bytesOf(ctx, reply);
  if (!bytes) return tooLong;
  const { status, headers } = reply;
  if (!/^application\/json\b/.test(headers['Content-Type'] ?? ''))
    return { status, data: bytes.length === 0 ? null : textOrBase64(bytes) };
  const { data, pagination, error } = JSON.parse(bytes.toString());
  return { status, data, pagination, error, etag: headers['ETag'] };
}

/**
 * Runs the stages of an operation for an agent. Throws `validation_failed` for missing parameters; every other fault is
 * a reply.
 */
async function run(ctx: Context, stages: readonly Stage[]): Promise<Outcome | undefined> {
  try {
    const reply = await runStages(stages, ctx);
    return reply && (await readReply(ctx, reply));
  } finally {
    ctx.memory?.release();
  }
}

/** Runs an operation of the REST API for an agent, in this process and through the same stages as a request. */
export async function runOperation(
  parent: Context,
  stages: Pick<Stages, 'ofTool'>,
  caller: Caller,
  route: AppRoute,
  args: CallArguments,
): Promise<Outcome> {
  const ctx = createContext(parent, caller, route, args);
  return (await run(ctx, stages.ofTool(takeBodyFrom(args))))!;
}

/** Returns why the caller may not call an operation, or undefined if it may. */
export async function refusalOf(
  parent: Context,
  stages: readonly Stage[],
  caller: Caller,
  route: AppRoute,
  args: CallArguments,
): Promise<Outcome | undefined> {
  return run(createContext(parent, caller, route, args), stages);
}
