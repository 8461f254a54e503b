import type { HashedPlace } from '../engines/objects/store.ts';
import type { Coding } from './encoding.ts';

/** Flat header list for `writeHead`: name, value, name, value. */
export type Head = string[];

/** A file of a release, prepared for many responses: everything that does not depend on the request. */
export interface ServedFile {
  place: HashedPlace;
  read: () => Promise<Buffer>;
  etags: Record<Coding, string>;
  worthCompressing: boolean;
  /** Too large for memory: always read from the object store in pieces. */
  streamed: boolean;
  /** Headers of every response for the file, including 304. */
  metaHead: Head;
  /** Headers that describe the body. */
  bodyHead: Head;
  /** Complete headers of a 200, created when a coding is first sent. */
  fullHeads: Partial<Record<Coding, Head>>;
}

export interface FileFacts {
  place: HashedPlace;
  /** Reads the whole body; large ones are read in pieces from `place` instead. */
  read: () => Promise<Buffer>;
  type: string;
  csp: string | null;
  immutable: boolean;
  /** A file under the assets prefix: uploaded bytes, never a rendered page. */
  uploaded: boolean;
}

/** `preview` marks a release that must be neither indexed nor cached. */
export type Audience = 'public' | 'preview';

const maxBufferedBytes = 4 * 1024 * 1024;
const minCompressedBytes = 256;

const compressible =
  /^(?:text\/|application\/(?:json|javascript|xml|wasm|manifest\+json|[\w.+-]+\+(?:xml|json))|image\/(?:svg\+xml|x-icon|vnd\.microsoft\.icon|bmp)|font\/(?:ttf|otf))/i;
/** Types that a browser would run as a document of the site's origin. */
const activeDocument = /^(?:text\/(?:html|xml)|application\/(?:xml|[\w.+-]+\+xml)|image\/svg\+xml|multipart\/)/i;
/** Uploads that browsers display; everything else is a download. HTML is not included. */
const shownInline =
  /^(?:image\/|video\/|audio\/|font\/|text\/(?:css|javascript|plain)|application\/(?:json|javascript|pdf|manifest\+json|wasm))/i;

/** Uploaded SVG and HTML cannot run scripts (contract: Media). */
const inertPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
/** For a page without a policy in its release. */
const defaultPagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'";

/** The dashboard shows previews in a frame, from another origin (docs/decisions/0321). Pages of live sites keep the directive. */
const framing = /; frame-ancestors [^;]*/;

function policyOf(facts: FileFacts, audience: Audience): string | null {
  if (facts.uploaded) return activeDocument.test(facts.type) ? inertPolicy : null;
  const policy = facts.csp ?? (activeDocument.test(facts.type) ? defaultPagePolicy : null);
  return audience === 'preview' && policy ? policy.replace(framing, '') : policy;
}

/** Returns the headers of every response of the edge. */
export function securityHead(audience: Audience): Head {
  const head = ['X-Content-Type-Options', 'nosniff'];
  if (audience === 'public') return [...head, 'Referrer-Policy', 'strict-origin-when-cross-origin'];
  // the URL of a preview is its credential: it must not be sent in a Referer
  return [...head, 'Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'];
}

function cacheControl(immutable: boolean, audience: Audience): string {
  if (audience === 'preview') return 'private, no-store';
  return immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Prepares a file for serving. Every coding has its own strong ETag, because its bytes differ. */
export function prepareFile(facts: FileFacts, audience: Audience): ServedFile {
  const { place, type } = facts;
  const tag = place.hash.slice(0, 32);
  const policy = policyOf(facts, audience);
  const streamed = place.bytes > maxBufferedBytes;
  const worthCompressing = !streamed && place.bytes >= minCompressedBytes && compressible.test(type);
  const metaHead = ['Cache-Control', cacheControl(facts.immutable, audience), ...securityHead(audience)];
  if (worthCompressing) metaHead.push('Vary', 'Accept-Encoding');
  if (policy) metaHead.push('Content-Security-Policy', policy);
  const bodyHead = ['Content-Type', type];
  if (facts.uploaded && !shownInline.test(type)) bodyHead.push('Content-Disposition', 'attachment');
  return {
    place,
    read: facts.read,
    etags: { identity: `"${tag}"`, br: `"${tag}-br"`, gzip: `"${tag}-gz"` },
    worthCompressing,
    streamed,
    metaHead,
    bodyHead,
    fullHeads: {},
  };
}

/** Returns the headers of a 200 with the whole body in `coding`. */
export function fullHead(file: ServedFile, coding: Coding, bytes: number): Head {
  const known = file.fullHeads[coding];
  if (known) return known;
  const head = [...file.bodyHead, 'Content-Length', String(bytes), 'ETag', file.etags[coding], ...file.metaHead];
  if (coding === 'identity') head.push('Accept-Ranges', 'bytes');
  else head.push('Content-Encoding', coding);
  file.fullHeads[coding] = head;
  return head;
}
