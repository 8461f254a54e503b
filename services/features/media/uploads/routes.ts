import type { IncomingMessage } from 'node:http';
import type { Db } from '../../../core/db.ts';
import { notFound, problem } from '../../../core/errors.ts';
import type { SiteInput } from '../../../core/http.ts';
import { isUuid } from '../../../core/ids.ts';
import { empty } from '../../../core/reply.ts';
import type { Writer } from '../../../core/roles.ts';
import { requireOwn } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type AppRoute, route } from '../../route.ts';
import { enterUpload } from '../under-way.ts';
import { invalidUploadConcat, invalidUploadLength, parseMetadataHeader } from './metadata.ts';
import { tusVersion, uploadsPath } from './protocol.ts';
import type { UploadServer } from './server.ts';
import { selectUpload } from './sql.ts';

type Headers = SiteInput['headers'];

/**
 * Throws 412 with the supported version for an unknown version of tus. The protocol's own server handles a missing one.
 */
function requireVersion(headers: Headers): void {
  const version = headers['tus-resumable'];
  if (version === undefined || version === tusVersion) return;
  throw problem('precondition_failed', `Tus-Resumable must be ${tusVersion}.`, {
    headers: { 'Tus-Version': tusVersion },
  });
}

const isLengthless = (headers: Headers): boolean =>
  headers['upload-length'] === '0' || headers['upload-defer-length'] !== undefined;

/** Returns the site of a new upload. Throws if its headers alone make it invalid. */
async function siteOfNew({ headers }: SiteInput<App>): Promise<string> {
  requireVersion(headers);
  if (headers['upload-concat'] !== undefined) throw invalidUploadConcat();
  if (isLengthless(headers)) throw invalidUploadLength();
  return parseMetadataHeader(headers['upload-metadata']).site;
}

/** Returns the site of an existing upload. Throws `not_found`. */
async function siteOfKnown({ app, headers, params: { id = '' } }: SiteInput<App>): Promise<string> {
  requireVersion(headers);
  if (headers['upload-concat'] !== undefined) throw invalidUploadConcat();
  const upload = isUuid(id) ? await selectUpload(app.db, id) : undefined;
  if (!upload) throw notFound('upload');
  return upload.site_slug;
}

/**
 * Requires that the user started this upload, if they may change only their own. Throws `role_insufficient`,
 * `not_found`.
 */
async function requireOwnUpload(db: Db, writer: Writer, id: string): Promise<void> {
  const upload = await selectUpload(db, id);
  if (!upload) throw notFound('upload');
  requireOwn(writer, 'upload', upload.created_by);
}

function dropHeader(req: IncomingMessage, name: string): void {
  delete req.headers[name];
  // names and values alternate
  req.rawHeaders = req.rawHeaders.filter((_, index, all) => all[index - (index % 2)]!.toLowerCase() !== name);
}

/** Declarations shared by all operations on uploads. */
const shared = {
  scope: 'media:write',
  ownRecords: true,
  tag: 'Media',
  transaction: { none: 'The protocol stores bytes as they come; each part has a transaction of its own (append.ts).' },
  body: { kind: 'protocol' },
} as const;

/**
 * Creates the routes of resumable uploads by tus, outside the base path (contract: Beyond the specification): the
 * stages and rules of a REST upload, then the protocol's own server, which reads the body and writes the response.
 */
export function createUploadRoutes(uploads: UploadServer): AppRoute[] {
  const handler: AppRoute['handler'] = async ({ app, db, exchange: { req, res }, params, writer, caller }) => {
    if (writer.onlyOwn && params.id !== undefined) await requireOwnUpload(db, writer, params.id);
    // the library's URLs come from the settings, and it does not support a list, which two proxies make of this header
    dropHeader(req, 'x-forwarded-proto');
    if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
    const leave = enterUpload(app.config, writer.userId);
    try {
      await uploads.handle(req, res, {
        id: params.id,
        userId: writer.userId,
        ofDashboard: caller.via === 'dashboard',
      });
    } finally {
      leave();
    }
    return empty(res.statusCode); // already sent
  };
  const known = { ...shared, path: `${uploadsPath}/:id`, siteOf: siteOfKnown, handler };
  return [
    route({
      ...shared,
      method: 'POST',
      path: uploadsPath,
      operationId: 'beginUpload',
      summary: 'Start a resumable upload',
      siteOf: siteOfNew,
      reply: { status: 201 },
      errors: ['precondition_failed', 'bad_request'],
      handler,
    }),
    route({
      ...known,
      method: 'HEAD',
      operationId: 'readUploadOffset',
      summary: 'Read how many bytes of an upload have been received',
      reply: { status: 200 },
      errors: ['precondition_failed'],
    }),
    route({
      ...known,
      method: 'PATCH',
      operationId: 'continueUpload',
      summary: 'Send the next bytes of an upload',
      reply: { status: 204 },
      errors: ['precondition_failed', 'conflict', 'too_large', 'unsupported_media_type', 'validation_failed'],
    }),
    route({
      ...known,
      method: 'DELETE',
      operationId: 'cancelUpload',
      summary: 'Cancel an unfinished upload',
      reply: { status: 204 },
      errors: ['precondition_failed', 'forbidden'],
    }),
  ];
}
