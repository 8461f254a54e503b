import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Global unicast, but served by the cloud provider's own host: Azure's metadata and DNS service. */
const platformAddresses = new Set(['168.63.129.16']);

/**
 * Returns whether connections to an IP address are allowed: global unicast, and not this machine's own. Expects the
 * canonical text form, as the URL parser, DNS and sockets return it; anything else is not public. Source: contract "URL
 * import"; issue "Guarded downloader".
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv6 && !isGlobalIpv6(parsed)) return false;
  const canonical = parsed.toString();
  return !platformAddresses.has(canonical) && !ownAddresses().has(canonical);
}

/**
 * Returns whether an IPv6 address is global. ipaddr.js calls everything outside its special ranges unicast, the
 * IPv4-compatible `::7f00:1` too; only 2000::/3 is assigned for global use. An ISATAP interface identifier
 * (`…:0:5efe:a.b.c.d`) would embed an inner IPv4 address.
 */
function isGlobalIpv6(address: ipaddr.IPv6): boolean {
  const [first = 0] = address.parts;
  const isIsatap = address.parts[5] === 0x5efe && ((address.parts[4] ?? 0) & 0xfdff) === 0;
  return first >> 13 === 1 && !address.zoneId && !isIsatap;
}

/**
 * Returns this machine's own addresses: through a public one, it would reach its closed ports behind every outer
 * firewall.
 */
function ownAddresses(): Set<string> {
  const own = new Set<string>();
  for (const entries of Object.values(networkInterfaces())) {
    for (const { address } of entries ?? []) {
      if (ipaddr.isValid(address)) own.add(ipaddr.parse(address).toString());
    }
  }
  return own;
}
