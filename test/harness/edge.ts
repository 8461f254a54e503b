import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { stack, stackConfig, stackDatabase } from './api.ts';
import { type SeededRelease, seedRelease, seedSite } from './seed-release.ts';

export interface EdgeReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

export interface Visit {
  method?: string;
  headers?: Record<string, string>;
  /** 0 or 1: one edge; by default they alternate. */
  edge?: number;
  /** Another edge than the stack's two. */
  origin?: string;
}

let turn = 0;

/** Sends one request to an edge with exactly this target and these headers: follows, decodes and normalizes nothing. */
export async function visit(
  path: string,
  { method = 'GET', headers = {}, edge, origin }: Visit = {},
): Promise<EdgeReply> {
  const base = new URL(origin ?? stack.edges[edge ?? turn++ % stack.edges.length]!);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: base.hostname, port: base.port, path, method, headers, agent: false },
      (response) => {
        buffer(response).then((body) => {
          resolve({ status: response.statusCode!, headers: response.headers, body, text: body.toString('utf8') });
        }, reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends bytes unchanged to an edge and returns everything that it sends until either side closes. */
export function sendBytes(bytes: string | Buffer, edge = 0): Promise<string> {
  const base = new URL(stack.edges[edge]!);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(base.port), base.hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

export interface EdgeSite {
  id: string;
  slug: string;
  domain: string;
  /** `/sites/{slug}` */
  base: string;
  /** Makes a release live (or the preview); returns its id. */
  release(release: SeededRelease, target?: 'live' | 'preview'): Promise<string>;
}

/** Creates a site for one test file, served by Host and below `base`, with releases of exactly the given bytes. */
export async function makeEdgeSite(first?: SeededRelease): Promise<EdgeSite> {
  const db = stackDatabase();
  const objects = openObjectStore(stackConfig().objects, db);
  const slug = `e-${randomUUID().slice(0, 13)}`;
  const domain = `${slug}.example`;
  const id = await seedSite(db, slug, domain);
  const release: EdgeSite['release'] = (content, target) => seedRelease({ db, objects }, id, content, target);
  if (first) await release(first);
  return { id, slug, domain, base: `/sites/${slug}`, release };
}
