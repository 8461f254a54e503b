/** A request target taken apart: `path` is decoded and starts with `/`, `rawPath` and `query` (with its `?`) are as sent. */
export interface Target {
  host: string;
  path: string;
  rawPath: string;
  query: string;
}

const maxTargetLength = 8192;
const absoluteForm = /^https?:\/\/([^/?#]*)/i;
const simpleTarget = /^\/[A-Za-z0-9\-._~/]*$/;
const visibleAscii = /^[\x21-\x7e]+$/;
const controlCharacter = /[\u0000-\u001f\u007f]/;

/**
 * Reads the target and Host of a request. Answers a status instead when it is hostile or broken: 414 above 8 KiB, 400 for
 * what is not a path, holds bytes outside visible ASCII, or decodes to invalid UTF-8 or control characters. Dot segments
 * are not resolved: paths are looked up in a manifest and never in a file system, so they simply name nothing.
 */
export function parseTarget(target: string, hostHeader: string | undefined): Target | { status: 400 | 414 } {
  if (target.length > maxTargetLength) return { status: 414 };
  if (simpleTarget.test(target)) return { host: normaliseHost(hostHeader), path: target, rawPath: target, query: '' };
  if (!visibleAscii.test(target)) return { status: 400 };
  const absolute = absoluteForm.exec(target);
  const host = normaliseHost(absolute ? absolute[1] : hostHeader);
  const local = (absolute ? target.slice(absolute[0].length) : target).replace(/#.*$/, '');
  const mark = local.indexOf('?');
  const query = mark < 0 ? '' : local.slice(mark);
  const rawPath = (mark < 0 ? local : local.slice(0, mark)) || (absolute ? '/' : '');
  const path = decodePath(rawPath);
  if (path === undefined || !path.startsWith('/')) return { status: 400 };
  return { host, path, rawPath, query };
}

const encodedSlash = /%2f/gi;

/**
 * Percent-decodes a path once; undefined when it is not valid UTF-8 or holds a control character. An encoded slash stays
 * encoded, so that it never becomes a separator.
 */
export function decodePath(rawPath: string): string | undefined {
  try {
    const path = rawPath.includes('%') ? decodeURIComponent(rawPath.replace(encodedSlash, '%252F')) : rawPath;
    return controlCharacter.test(path) ? undefined : path;
  } catch {
    return undefined; // decodeURIComponent refuses overlong and broken sequences
  }
}

const hostnames = new Map<string, string>();
const maxRememberedHosts = 1000;
const maxHostLength = 270;

/** The name in a Host header: lower case, without port, user part and trailing dot; '' when there is none. */
export function normaliseHost(header: string | undefined): string {
  if (!header || header.length > maxHostLength) return '';
  let name = hostnames.get(header);
  if (name === undefined) {
    const authority = header.slice(header.lastIndexOf('@') + 1).toLowerCase();
    name = authority.replace(/:\d*$/, '').replace(/\.$/, '');
    if (hostnames.size >= maxRememberedHosts) hostnames.clear();
    hostnames.set(header, name);
  }
  return name;
}
