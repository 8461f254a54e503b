import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@tus/server';
import { type ErrorCode, errorCatalogue, Problem } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import type { App } from '../../app.ts';
import { largestFile } from '../receive.ts';
import { tusVersion, uploadsPath } from './protocol.ts';
import { selectUpload } from './sql.ts';
import { createUploadStore } from './store.ts';

const codes: Record<number, ErrorCode> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'precondition_failed',
  413: 'too_large',
  415: 'unsupported_media_type',
};

interface ProtocolError {
  status_code?: number;
  body?: string;
}

/** An error of the protocol's, or ours, in the envelope; what is neither tells nothing of its inside. */
function presentError(error: Error | ProtocolError): { status_code: number; body: string } {
  let status = 500;
  let code: ErrorCode = 'internal_error';
  let message = 'Something went wrong on our side; the request id names it in our logs.';
  let details: unknown;
  if (error instanceof Problem) ({ status, code, message, details } = error);
  else if ('status_code' in error && error.status_code && error.status_code < 500) {
    status = error.status_code;
    code = codes[status] ?? 'bad_request';
    message = (error.body ?? '').trim() || 'The request is not valid.';
  }
  return {
    status_code: status,
    body: JSON.stringify({ success: false, error: { code, message, ...(details ? { details } : {}) } }),
  };
}

/** Every refusal in the envelope, also what the protocol's server says of headers in plain text. */
function answerInEnvelope(server: Server): void {
  const write = server.write.bind(server);
  server.write = (context, headers, status, body = '') => {
    const reply = body.startsWith('{') ? { status_code: status, body } : presentError({ status_code: status, body });
    headers.set('Content-Type', 'application/json; charset=utf-8');
    if (reply.status_code === errorCatalogue.precondition_failed) headers.set('Tus-Version', tusVersion);
    return write(context, headers, reply.status_code, reply.body);
  };
}

/** A request that may go on: the upload that its route names, undefined for a new one, and the user who sends it. */
export interface AllowedUpload {
  id: string | undefined;
  userId: string | null;
}

/** The protocol's server. `handle` writes the whole reply. */
export interface UploadServer {
  handle(req: IncomingMessage, res: ServerResponse, allowed: AllowedUpload): Promise<void>;
}

/**
 * The tus server of the library. Who may use an upload has been decided before a request reaches it, by the id of the route. The
 * library reads an id from the end of a request's URL, its query included, so it only sees a URL made from the route's id: a request
 * acts on the upload that it was allowed for, and on no other.
 */
export function createUploadServer(app: App): UploadServer {
  const { config, db, log } = app;
  const user = new AsyncLocalStorage<string | null>(); // the library hands its store no request
  const server = new Server({
    path: uploadsPath,
    datastore: createUploadStore(app, () => user.getStore() ?? null),
    maxSize: largestFile(config.mediaLimits),
    allowedHeaders: ['X-API-Key'],
    exposedHeaders: ['X-Media-Id', 'X-Request-Id'],
    disableTerminationForFinishedUploads: true,
    namingFunction: () => randomUUID(),
    generateUrl: (_req, { id }) => `${config.url}${uploadsPath}/${id}`,
    getFileIdFromRequest: (_req, last) => (last && isUuid(last) ? last.toLowerCase() : undefined),
    async onUploadFinish(req, { id }) {
      const row = await selectUpload(db, id);
      if (!row?.media_id) return {};
      const item = `${config.url}/api/v1/sites/${row.site_slug}/media/${row.media_id}`;
      // the reply to a POST names the upload
      return { headers: { 'X-Media-Id': row.media_id, ...(req.method === 'PATCH' ? { Location: item } : {}) } };
    },
    onResponseError(_req, error) {
      const reply = presentError(error);
      if (reply.status_code === errorCatalogue.internal_error) log.error({ err: error }, 'an upload failed');
      return reply;
    },
  });
  answerInEnvelope(server);
  return {
    async handle(req, res, { id, userId }) {
      req.url = id !== undefined && isUuid(id) ? `${uploadsPath}/${id}` : uploadsPath;
      // the library waits without end for a client that is gone to take its reply
      const gone = new Promise<void>((resolve) => res.once('close', resolve));
      await user.run(userId, () => Promise.race([server.handle(req, res), gone]));
    },
  };
}
