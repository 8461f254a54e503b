import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { parseRange } from '../core/addresses.ts';
import { ConfigError } from '../core/config.ts';

/**
 * Returns a function that reads the client's IP address, which rate limits count by: the socket's, or, when the peer is
 * a configured proxy, the nearest address in `X-Forwarded-For` that is not a proxy (contract: Rate limits). Throws
 * ConfigError if an entry is not a CIDR.
 */
export function createAddressReader(trustedProxies: readonly string[]) {
  const ranges = trustedProxies.map((text) => {
    const range = parseRange(text);
    if (!range) throw new ConfigError(`FIELDSTONE_TRUSTED_PROXIES must list CIDRs such as 10.0.0.0/8, not "${text}".`);
    return range;
  });
  const isTrusted = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
  };

  return function clientAddress(req: IncomingMessage): string {
    let address = req.socket.remoteAddress ?? 'unknown';
    if (!isTrusted(address)) return normalise(address);
    const header = req.headers['x-forwarded-for'];
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map(addressOf);
    for (const hop of hops.reverse()) {
      if (!ipaddr.isValid(hop)) break;
      address = hop;
      if (!isTrusted(address)) break;
    }
    return normalise(address);
  };
}

/** Strips the port that some proxies add to a hop, as in `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function addressOf(hop: string): string {
  const text = hop.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

/** Maps IPv4-in-IPv6 to IPv4, and an IPv6 address to its /64, because one subscriber usually holds all of it. */
function normalise(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
