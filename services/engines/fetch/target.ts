import { isIP } from 'node:net';
import { parseHostPort } from '../../core/addresses.ts';
import { isPublicAddress } from './address.ts';
import { fetchError } from './errors.ts';

/** The ports of web servers; any other port is more likely a protocol other than HTTP. See docs/decisions. */
export const allowedPorts = new Set([80, 443, 8080, 8443]);
const defaultPorts = { 'http:': 80, 'https:': 443 };
const maxUrlLength = 8192;
const maxHostnameLength = 253;

/** A URL that passed every check that needs no network. */
export interface Target {
  url: URL;
  port: number;
  /** The IP address, if the host is an IP literal. */
  address: string | null;
  /** The operator allowed this `host:port`: it may be private. */
  allowed: boolean;
}

/**
 * Parses `FIELDSTONE_FETCH_ALLOW`: entries `host:port`, IPv6 in brackets, into the form that targets are compared in.
 * Throws an Error that names the malformed entry.
 */
export function parseAllowList(entries: readonly string[]): Set<string> {
  return new Set(entries.map(parseAllowEntry));
}

function parseAllowEntry(entry: string): string {
  const target = parseHostPort(entry);
  if (target === null) throw new Error(`"${entry}" is not of the form host:port.`);
  return target;
}

/**
 * Checks one URL, or one redirect relative to `base`, without network access. The URL parser has already normalized
 * every notation of an IPv4 address (octal, hexadecimal, short, full-width digits) to the dotted one, so the checked
 * address is the one connected to. Throws FetchError `invalid_url`, `refused_scheme`, `refused_credentials`,
 * `refused_port` or `refused_address`.
 */
export function parseTarget(input: string, allow: ReadonlySet<string>, base?: URL): Target {
  const url = typeof input === 'string' && input.length <= maxUrlLength ? URL.parse(input, base?.href) : null;
  if (!url) throw fetchError('invalid_url');
  if (!isWebScheme(url.protocol)) throw fetchError('refused_scheme');
  if (url.username || url.password) throw fetchError('refused_credentials');

  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
  const allowed = allow.has(`${url.hostname}:${port}`);
  const address = readAddress(url.hostname);
  if (!allowed) refuseInside(url.hostname, address, port);
  // Certificates, and the Host header that servers expect, name the host without the root dot.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  return { url, port, address, allowed };
}

/**
 * Checks the URL of a user's endpoint: as `parseTarget`, and https only, unless the operator allowed its `host:port`.
 * Throws FetchError.
 */
export function parseSecureTarget(input: string, allow: ReadonlySet<string>): Target {
  const target = parseTarget(input, allow);
  if (target.url.protocol !== 'https:' && !target.allowed) throw fetchError('insecure_scheme');
  return target;
}

function isWebScheme(protocol: string): protocol is keyof typeof defaultPorts {
  return Object.hasOwn(defaultPorts, protocol);
}

function readAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) ? bare : null;
}

function refuseInside(hostname: string, address: string | null, port: number): void {
  if (address !== null && !isPublicAddress(address)) throw fetchError('refused_address');
  if (address === null) refuseName(hostname);
  if (!allowedPorts.has(port)) throw fetchError('refused_port');
}

function refuseName(hostname: string): void {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const wellFormed = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && name.length <= maxHostnameLength && !isIP(name);
  if (!wellFormed) throw fetchError('invalid_url');
  // RFC 6761: these are loopback if they resolve at all.
  if (name === 'localhost' || name.endsWith('.localhost')) throw fetchError('refused_address');
}
