import type { IncomingMessage } from 'node:http';
import { notFound, problem } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import type { App } from '../features/app.ts';
import { createKeyVerifier } from '../features/keys/index.ts';
import {
  invalidUploadConcat,
  invalidUploadLength,
  openUploadServer,
  parseMetadataHeader,
  selectUpload,
  tusVersion,
  uploadsPath,
} from '../features/media/index.ts';
import { selectSiteBySlug } from '../features/sites/index.ts';
import { type Context, headerOf } from './context.ts';
import { errorToWire, type WireReply } from './envelope.ts';
import type { PlainHandler } from './server.ts';
import { createAuthenticateStage } from './stages/authenticate.ts';
import { checkScope, checkSiteList } from './stages/authorize.ts';
import { checkSpace } from './stages/space.ts';

const scope = 'media:write';

/** tus: an unknown version is 412, with the versions that are known. A missing one is left to the protocol's own server. */
function requireVersion(ctx: Context): void {
  const version = headerOf(ctx, 'tus-resumable');
  if (version === undefined || version === tusVersion) return;
  const headers = { 'Tus-Version': tusVersion };
  throw problem('precondition_failed', `Tus-Resumable must be ${tusVersion}.`, { headers });
}

function dropHeader(req: IncomingMessage, name: string): void {
  delete req.headers[name];
  // names and values in turn
  req.rawHeaders = req.rawHeaders.filter((_, index, all) => all[index - (index % 2)]!.toLowerCase() !== name);
}

function isLengthless(ctx: Context): boolean {
  return headerOf(ctx, 'upload-length') === '0' || headerOf(ctx, 'upload-defer-length') !== undefined;
}

/** The slug of the site that an upload goes to, or is to go to. */
async function siteOf(app: App, ctx: Context): Promise<string> {
  const { id } = ctx.params;
  if (id === undefined) return parseMetadataHeader(headerOf(ctx, 'upload-metadata')).site;
  const upload = isUuid(id) ? await selectUpload(app.db, id) : undefined;
  if (!upload) throw notFound('upload');
  return upload.site_slug;
}

/**
 * Resumable uploads by tus, outside the base (contract: Beyond the specification): the same key, scope and site rules as an
 * upload over REST, then the protocol's own server.
 */
export function createUploadHandlers(app: App): PlainHandler[] {
  const authenticate = createAuthenticateStage(createKeyVerifier(app.db));
  const tus = openUploadServer(app);

  async function authorize(ctx: Context): Promise<void> {
    await authenticate(ctx);
    checkScope(ctx.key!, scope);
    requireVersion(ctx);
    await checkSpace(app, ctx.method);
    if (headerOf(ctx, 'upload-concat') !== undefined) throw invalidUploadConcat();
    if (ctx.params.id === undefined && isLengthless(ctx)) throw invalidUploadLength();
    const slug = await siteOf(app, ctx);
    checkSiteList(ctx.key!, slug);
    if (ctx.params.id === undefined && !(await selectSiteBySlug(app.db, slug))) throw notFound('site');
  }

  async function handle(ctx: Context): Promise<WireReply> {
    const { req, res } = ctx;
    try {
      // browsers ask without a key whether they may ask with one
      if (ctx.method !== 'OPTIONS') await authorize(ctx);
    } catch (error) {
      req.resume();
      return errorToWire(error);
    }
    // its addresses are made from the settings, and it takes no list, which two proxies make of this
    dropHeader(req, 'x-forwarded-proto');
    if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
    for (const [name, value] of Object.entries(ctx.replyHeaders)) res.setHeader(name, value);
    await (await tus).handle(req, res, ctx.params.id);
    return { status: res.statusCode, headers: {}, body: null }; // sent already
  }

  return [
    ...(['POST', 'OPTIONS'] as const).map((method) => ({ method, path: uploadsPath, handle })),
    ...(['HEAD', 'PATCH', 'DELETE', 'OPTIONS'] as const).map((method) => ({
      method,
      path: `${uploadsPath}/:id`,
      handle,
    })),
  ];
}
