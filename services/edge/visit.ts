import type { IncomingMessage } from 'node:http';
import { adaptNotFoundLinks, assetsPrefix, type ManifestFile, notFoundRoot } from '../build/format.ts';
import { countHosts } from '../core/http.ts';
import { mediaPrefix, parseMediaPath } from '../core/media-paths.ts';
import type { LibraryDirectory } from './library.ts';
import type { ReadBody, Release, ReleaseCache } from './releases.ts';
import { healthReply, locationOf, plainReplies, type Reply, redirectReply } from './reply.ts';
import { type FileSource, serveFile } from './serve-file.ts';
import { type Audience, prepareFile, type ServedFile } from './served-file.ts';
import type { LiveSite, SiteDirectory, StoredFile } from './sites.ts';
import { parseTarget, type Target } from './target.ts';

export interface EdgeDeps {
  sites: SiteDirectory;
  library: LibraryDirectory;
  releases: ReleaseCache;
  files: FileSource;
  readBody: ReadBody;
  /** Returns the release that a preview token names, or null when the token is forged or has expired. */
  openPreview(token: string): { siteId: string; releaseId: string } | null;
}

/** One visitor's request to one release: the requested path and the site's root. */
interface Visit {
  request: IncomingMessage;
  /** Path within the site, percent-encoded. */
  path: string;
  simple: boolean;
  query: string;
  /** The prefix of the site's root: empty on its domain, otherwise `/sites/{slug}` or `/previews/{token}`. */
  base: string;
  audience: Audience;
  siteId: string;
}

const prefixed = /^\/(sites|previews)\/([^/]+)(\/.*)?$/s;
const slugPattern = /^[a-z0-9-]{1,120}$/;
/** Links of a 404 page are relative to its URL up to this depth and absolute below, so that few forms of it exist. */
const maxRelativeDepth = 10;

/**
 * Responds to a visitor. The Host determines the site; on the service's own hosts the path does, `/sites/{slug}/` or
 * `/previews/{token}/`. Never rejects because of the visitor's input; rejects with SourceUnavailable or a Problem when
 * an engine is down or has lost a part of a manifest.
 */
export async function respondToVisit(deps: EdgeDeps, request: IncomingMessage): Promise<Reply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plainReplies[405];
  if (countHosts(request.rawHeaders) > 1) return plainReplies[400];
  const target = parseTarget(request.url ?? '', request.headers.host);
  if ('status' in target) return plainReplies[target.status];
  if (target.path === '/healthz' && !deps.sites.isKnownHost(target.host)) return healthReply;
  if (target.path.startsWith(mediaPrefix)) return visitLibrary(deps, request, target.path);
  const found = deps.sites.byHost(target.host);
  const entry = found instanceof Promise ? await found : found;
  if (!entry) return visitByPrefix(deps, request, target);
  if ('redirectTo' in entry) return redirectReply(301, `https://${entry.redirectTo}${target.sent}${target.query}`);
  const { site } = entry;
  return visitSite(deps, site, { request, ...target, base: '', audience: 'public', siteId: site.id });
}

async function visitByPrefix(deps: EdgeDeps, request: IncomingMessage, target: Target): Promise<Reply> {
  const [, kind, name = '', path] = prefixed.exec(target.path) ?? [];
  if (kind === undefined) return plainReplies[404];
  const base = `/${kind}/${name}`;
  const visit = { request, path: path ?? '/', simple: target.simple, query: target.query, base };
  if (kind === 'previews') return visitPreview(deps, name, visit, path === undefined);
  const found = slugPattern.test(name) ? deps.sites.bySlug(name) : null;
  const entry = found instanceof Promise ? await found : found;
  if (!entry || !('site' in entry)) return plainReplies[404];
  const { site } = entry;
  if (path === undefined) return redirectReply(301, locationOf('/', base, target.query));
  return visitSite(deps, site, { ...visit, audience: 'public', siteId: site.id });
}

async function visitPreview(
  deps: EdgeDeps,
  token: string,
  visit: Omit<Visit, 'audience' | 'siteId'>,
  atRoot: boolean,
): Promise<Reply> {
  const named = deps.openPreview(token);
  const row = named ? await deps.sites.previewRelease(named.releaseId) : null;
  if (!named || row?.site_id !== named.siteId) return plainReplies.expiredPreview;
  if (atRoot) return redirectReply(302, locationOf('/', visit.base, visit.query));
  const release = await deps.releases.get(row.manifest_hash, 'preview');
  return visitRelease(deps, release, { ...visit, audience: 'preview', siteId: row.site_id });
}

async function visitSite(deps: EdgeDeps, site: LiveSite, visit: Visit): Promise<Reply> {
  if (!site.manifest_hash) return plainReplies.unpublished;
  const found = deps.releases.getLive(site.id, site.manifest_hash);
  return visitRelease(deps, found instanceof Promise ? await found : found, visit);
}

async function visitRelease(deps: EdgeDeps, release: Release, visit: Visit): Promise<Reply> {
  const found = release.resolve(visit.path, visit.simple);
  const destination = found instanceof Promise ? await found : found;
  const { method = 'GET', headers } = visit.request;
  if (destination.kind === 'file') return serveFile(deps.files, method, headers, destination.file);
  if (destination.kind === 'redirect') {
    return redirectReply(destination.status, locationOf(destination.to, visit.base, visit.query));
  }
  const kept = await findKeptAsset(deps, visit);
  if (kept) return serveFile(deps.files, method, headers, kept);
  return destination.page ? serveNotFound(deps, destination.page, visit) : plainReplies[404];
}

/** Files of libraries have a URL as soon as they are uploaded (contract: Records, `url`). */
async function visitLibrary(deps: EdgeDeps, request: IncomingMessage, path: string): Promise<Reply> {
  const named = parseMediaPath(path);
  const found = named ? await deps.library.file(named.id, named.hashStart) : null;
  if (!found) return plainReplies[404];
  return serveFile(deps.files, request.method ?? 'GET', request.headers, prepareStored(deps, found, 'public'));
}

/** Prepares a stored file. Its URL contains its hash, so its content never changes. */
function prepareStored(deps: EdgeDeps, file: StoredFile, audience: Audience): ServedFile {
  const read = () => deps.readBody(file);
  return prepareFile({ ...file, place: file, read, csp: null, immutable: true, uploaded: true }, audience);
}

/** Returns an asset of a replaced release, which recently loaded pages may still request (contract: Public paths). */
async function findKeptAsset(deps: EdgeDeps, visit: Visit): Promise<ServedFile | null> {
  if (!visit.path.startsWith(assetsPrefix)) return null;
  const asset = await deps.sites.keptAsset(visit.siteId, decodeURIComponent(visit.path));
  return asset && prepareStored(deps, asset, visit.audience);
}

/** Serves the site's own 404 page, with links adapted to the requested path. */
async function serveNotFound(deps: EdgeDeps, page: ManifestFile, visit: Visit): Promise<Reply> {
  const depth = visit.path.split('/').length - 2;
  const deep = depth > maxRelativeDepth;
  const read = async () => {
    const html = (await deps.files.blobs.get(page.hash, 'identity', () => deps.readBody(page))).toString('utf8');
    return Buffer.from(deep ? html.replaceAll(notFoundRoot, `${visit.base}/`) : adaptNotFoundLinks(html, visit.path));
  };
  const place = { ...page, hash: `${page.hash}@${deep ? visit.base : depth}` };
  const file = prepareFile({ ...page, place, read, uploaded: false, immutable: false }, visit.audience);
  const { method = 'GET', headers } = visit.request;
  const reply = await serveFile(deps.files, method, { 'accept-encoding': headers['accept-encoding'] }, file);
  return reply.status === 200 ? { ...reply, status: 404 } : reply;
}
