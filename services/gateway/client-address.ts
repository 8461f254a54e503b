import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { parseRange } from '../core/addresses.ts';
import { ConfigError } from '../core/config.ts';

/**
 * The address that limits count: the socket's, or, when the peer is a configured proxy, the nearest address in
 * `X-Forwarded-For` that is none (contract: Rate limits). Throws ConfigError for a list that is not CIDRs.
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

/** One hop without the port that some proxies add, as in `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function addressOf(hop: string): string {
  const text = hop.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

/** IPv4 in IPv6 is the IPv4 client; an IPv6 client is its /64, which one subscriber holds whole. */
function normalise(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
