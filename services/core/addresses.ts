import ipaddr from 'ipaddr.js';

/** Parses a range of IP addresses in CIDR notation, or one address; null for anything else. */
export function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  try {
    return ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
  } catch {
    return null;
  }
}

/** Parses `host:port`, IPv6 in brackets, into the form that URLs have; null for anything else. */
export function parseHostPort(text: string): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+):([0-9]{1,5})$/i.exec(text.trim());
  const [, host = '', port = ''] = match ?? [];
  const url = match ? URL.parse(`http://${host}`) : null;
  if (!url || Number(port) < 1 || Number(port) > 65535) return null;
  return `${url.hostname}:${Number(port)}`;
}

/**
 * Parses an IP address, or one with a port (IPv6 then in brackets), into the form that Node's resolver accepts; null
 * for anything else.
 */
export function parseDnsServer(text: string): string | null {
  const address = text.trim();
  if (ipaddr.isValid(address)) return address;
  const server = parseHostPort(address);
  return server !== null && ipaddr.isValid(server.replace(/:\d+$/, '').replace(/[[\]]/g, '')) ? server : null;
}
