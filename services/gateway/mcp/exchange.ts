import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { json, type Reply, raw } from '../../core/reply.ts';
import { type Context, headerOf } from '../context.ts';
import { anyOrigin } from '../oauth/cors.ts';
import { takeBodyTurn } from '../stages/body.ts';
import { requireFewValues } from '../stages/json.ts';
import { jsonMaxBytes, readBytes } from '../stages/read-bytes.ts';

const passedHeaders = ['accept', 'content-type', 'mcp-protocol-version'];

const refusal = (code: ErrorCode, message: string): Reply =>
  json(
    400,
    { jsonrpc: '2.0', id: null, error: { code, message } },
    { ...anyOrigin, 'Content-Type': 'application/json' },
  );

/**
 * Returns the message of a body, or the response if it is not one message: a batch would evade the limit of requests.
 * Throws `validation_failed` for more values than a request may have.
 */
function readMessage(bytes: Buffer): { message: unknown } | Reply {
  requireFewValues(bytes);
  let message: unknown;
  try {
    message = JSON.parse(bytes.toString());
  } catch {
    return refusal(ErrorCode.ParseError, 'The body is not JSON.');
  }
  return Array.isArray(message) ? refusal(ErrorCode.InvalidRequest, 'Send one message, not a batch.') : { message };
}

/**
 * Passes one request to a server of the protocol and returns its response. Throws what reading a body throws: 413, and
 * 503 when too many large bodies wait.
 */
export async function exchange(ctx: Context, resource: string, open: () => Server): Promise<Reply> {
  await takeBodyTurn(ctx, ctx.caller!.id, jsonMaxBytes);
  const read = readMessage(await readBytes(ctx, jsonMaxBytes));
  if (!('message' in read)) return read;
  const headers = passedHeaders.flatMap((name): [string, string][] => {
    const value = headerOf(ctx, name);
    return value === undefined ? [] : [[name, value]];
  });
  const server = open();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const request = new Request(resource, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: read.message });
    const type = response.headers.get('content-type');
    const content = Buffer.from(await response.arrayBuffer());
    return raw(response.status, content, { ...anyOrigin, ...(type ? { 'Content-Type': type } : {}) });
  } finally {
    await server.close();
  }
}
