import { canonicalHost } from '../core/hosts.ts';

/**
 * A parsed request target. `path` starts with `/` and is as sent, percent-encoded and known to decode; `query` keeps
 * its `?`. `simple` means that the path has no escapes, so it equals its decoded form.
 */
export interface Target {
  host: string;
  path: string;
  simple: boolean;
  query: string;
  /** The path as it was sent. */
  sent: string;
}

const maxTargetLength = 8192;
const absoluteForm = /^https?:\/\/([^/?#]*)/i;
const simpleTarget = /^\/[A-Za-z0-9\-._~/]*$/;
const visibleAscii = /^[\x21-\x7e]+$/;
const controlCharacter = /[\u0000-\u001f\u007f]/;

/**
 * Parses the target and Host of a request. Returns a status for a malformed one: 414 above 8 KiB; 400 if it is not a
 * path, has bytes outside visible ASCII, or decodes to invalid UTF-8 or control characters. Dot segments are not
 * resolved: paths are looked up in a manifest, never in a file system, so they match nothing.
 */
export function parseTarget(target: string, hostHeader: string | undefined): Target | { status: 400 | 414 } {
  if (target.length > maxTargetLength) return { status: 414 };
  if (simpleTarget.test(target)) {
    return { host: normaliseHost(hostHeader), path: target, simple: true, query: '', sent: target };
  }
  if (!visibleAscii.test(target)) return { status: 400 };
  const absolute = absoluteForm.exec(target);
  const host = normaliseHost(absolute ? absolute[1] : hostHeader);
  const local = (absolute ? target.slice(absolute[0].length) : target).replace(/#.*$/, '');
  const mark = local.indexOf('?');
  const query = mark < 0 ? '' : local.slice(mark);
  const sent = (mark < 0 ? local : local.slice(0, mark)) || (absolute ? '/' : '');
  // an encoded slash is part of a name: escaped twice, it never becomes a separator
  const path = sent.replace(/%2f/gi, '%252F');
  if (!path.startsWith('/') || !decodes(path)) return { status: 400 };
  return { host, path, simple: simpleTarget.test(path), query, sent };
}

function decodes(path: string): boolean {
  try {
    return !path.includes('%') || !controlCharacter.test(decodeURIComponent(path));
  } catch {
    return false; // overlong, broken and truncated sequences
  }
}

const hostnames = new Map<string, string>();
const maxRememberedHosts = 1000;
const maxHostLength = 270;

/**
 * Returns the host of a Host header in canonical form (core/hosts.ts), without user and port; '' without a valid Host header.
 */
export function normaliseHost(header: string | undefined): string {
  if (!header || header.length > maxHostLength) return '';
  let name = hostnames.get(header);
  if (name === undefined) {
    name = canonicalHost(header.slice(header.lastIndexOf('@') + 1)) ?? '';
    if (hostnames.size >= maxRememberedHosts) hostnames.clear();
    hostnames.set(header, name);
  }
  return name;
}
