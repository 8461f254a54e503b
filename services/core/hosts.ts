import ipaddr from 'ipaddr.js';
/**
 * Labels of letters, digits and inner hyphens; the last one begins with a letter, so that no form of an IP address
 * matches.
 */
export const hostNamePattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const maxHostNameLength = 253;

/** Normalizes an IPv6 address without its brackets; returns the IPv4 address of an IPv4-mapped one. */
function canonicalIpv6(text: string): string {
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : `[${text}]`;
}

/**
 * Returns the canonical spelling of a host (`host` or `host:port`, without a user part): lower case, ASCII, without
 * port, trailing dot and percent-escapes; `0x7f.1`, `2130706433` and `[::ffff:127.0.0.1]` are all `127.0.0.1`. Null if
 * it is not a host. Source: the WHATWG URL standard's host parser.
 */
export function canonicalHost(authority: string): string | null {
  if (/[\s/?#\\@]/.test(authority)) return null;
  const { hostname } = URL.parse(`http://${authority}`) ?? { hostname: '' };
  if (hostname.startsWith('[')) return canonicalIpv6(hostname.slice(1, -1));
  return hostname.replace(/\.$/, '') || null;
}

/**
 * Returns whether text is a host name in its canonical spelling (contract: Domains): lower case, ASCII, no port, no
 * trailing dot, no IP address.
 */
export function isHostName(text: string): boolean {
  return text.length <= maxHostNameLength && hostNamePattern.test(text) && canonicalHost(text) === text;
}

/**
 * Returns the service's own hosts, from FIELDSTONE_URL and FIELDSTONE_EDGE_URL, in canonical spelling. No site may have
 * them.
 */
export function ownHosts(config: { url: string; edgeUrl: string }): ReadonlySet<string> {
  const hosts = [config.url, config.edgeUrl].map((origin) => canonicalHost(new URL(origin).host));
  return new Set(hosts.filter((host) => host !== null));
}

/** Returns whether the URL is on loopback, where no certificate is needed. */
export function isLoopback(url: URL): boolean {
  const host = canonicalHost(url.host) ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host) || host === '[::1]';
}
