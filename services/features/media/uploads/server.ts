import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@tus/server';
import { type ErrorCode, errorCatalogue, Problem } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import type { App } from '../../app.ts';
import { largestFile } from '../receive.ts';
import { dashboardUploadsPath, tusVersion, uploadsPath } from './protocol.ts';
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

/** Converts an error of the protocol or a Problem to the error envelope; any other error reveals nothing internal. */
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

/** Sends every error in the envelope, including those that the protocol's server reports as plain text. */
function sendErrorsInEnvelope(server: Server): void {
  const write = server.write.bind(server);
  server.write = (context, headers, status, body = '') => {
    const reply = body.startsWith('{') ? { status_code: status, body } : presentError({ status_code: status, body });
    headers.set('Content-Type', 'application/json; charset=utf-8');
    if (reply.status_code === errorCatalogue.precondition_failed) headers.set('Tus-Version', tusVersion);
    return write(context, headers, reply.status_code, reply.body);
  };
}

/** An authorised request: the upload named by its route, undefined for a new one, its user, and whether the dashboard sent it. */
export interface AllowedUpload {
  id: string | undefined;
  userId: string | null;
  ofDashboard?: boolean;
}

/** The protocol's server. `handle` writes the whole response. */
export interface UploadServer {
  handle(req: IncomingMessage, res: ServerResponse, allowed: AllowedUpload): Promise<void>;
}

/**
 * Creates the tus server of the library. Before a request reaches it, the route's id has been authorised. The library
 * reads an id from the end of the request's URL, including its query, so it is given only a URL built from the route's
 * id: a request can act only on the upload that was authorised.
 */
export function createUploadServer(app: App): UploadServer {
  const { config, db, log } = app;
  const current = new AsyncLocalStorage<AllowedUpload>(); // the library does not pass the request to its store
  const server = new Server({
    path: uploadsPath,
    datastore: createUploadStore(app, () => current.getStore()?.userId ?? null),
    maxSize: largestFile(config.mediaLimits),
    allowedHeaders: ['X-API-Key'],
    exposedHeaders: ['X-Media-Id', 'X-Request-Id'],
    disableTerminationForFinishedUploads: true,
    namingFunction: () => randomUUID(),
    generateUrl: (_req, { id }) =>
      current.getStore()?.ofDashboard ? `${dashboardUploadsPath}/${id}` : `${config.url}${uploadsPath}/${id}`,
    getFileIdFromRequest: (_req, last) => (last && isUuid(last) ? last.toLowerCase() : undefined),
    async onUploadFinish(req, { id }) {
      const row = await selectUpload(db, id);
      if (!row?.media_id) return {};
      const item = `${config.url}/api/v1/sites/${row.site_slug}/media/${row.media_id}`;
      // the response to a POST names the upload
      return { headers: { 'X-Media-Id': row.media_id, ...(req.method === 'PATCH' ? { Location: item } : {}) } };
    },
    onResponseError(_req, error) {
      const reply = presentError(error);
      if (reply.status_code === errorCatalogue.internal_error) log.error({ err: error }, 'an upload failed');
      return reply;
    },
  });
  sendErrorsInEnvelope(server);
  return {
    async handle(req, res, allowed) {
      const { id } = allowed;
      req.url = id !== undefined && isUuid(id) ? `${uploadsPath}/${id}` : uploadsPath;
      // the library never returns when the client has disconnected
      const gone = new Promise<void>((resolve) => res.once('close', resolve));
      await current.run(allowed, () => Promise.race([server.handle(req, res), gone]));
    },
  };
}
