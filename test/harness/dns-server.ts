import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import dnsPacket from 'dns-packet';

/** The server's response to queries for a name: TXT records, each of one or more strings; a response code; or none. */
export type DnsResponse = string[][] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence';

export interface DnsServer {
  /** In the format of `FIELDSTONE_DNS_SERVERS`. */
  address: string;
  /** By name in lower case; other names do not exist (NXDOMAIN). */
  zone: Map<string, DnsResponse>;
  /** The queried names by transport, in order. */
  asked: { udp: string[]; tcp: string[] };
  [Symbol.asyncDispose](): Promise<void>;
}

/** Response codes by name (RFC 1035, 4.1.1), and the truncation bit. */
const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;
const udpBytes = 512;

function respond(query: dnsPacket.Packet, response: DnsResponse): dnsPacket.Packet | null {
  if (response === 'silence') return null;
  const questions = query.questions ?? [];
  const base = { type: 'response', id: query.id ?? 0, questions } as const;
  const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE;
  if (typeof response === 'string') return { ...base, flags: flags | codes[response] };
  const [question] = questions;
  const answers = response.map((data): dnsPacket.TxtAnswer => ({ type: 'TXT', name: question!.name, ttl: 1, data }));
  return { ...base, flags, answers: question!.type === 'TXT' ? answers : [] };
}

/** Starts a DNS server on loopback, over UDP and, for responses that do not fit into 512 bytes, over TCP. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone: DnsServer['zone'] = new Map();
  const asked: DnsServer['asked'] = { udp: [], tcp: [] };
  const take = (query: dnsPacket.Packet, transport: 'udp' | 'tcp') => {
    const name = query.questions?.[0]?.name.toLowerCase() ?? '';
    asked[transport].push(name);
    return respond(query, zone.get(name) ?? 'NXDOMAIN');
  };

  const tcp = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return;
      const response = take(dnsPacket.streamDecode(received), 'tcp');
      received = Buffer.alloc(0);
      if (response) socket.write(dnsPacket.streamEncode(response));
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;

  const udp = createSocket('udp4', (message, peer) => {
    const response = take(dnsPacket.decode(message), 'udp');
    if (!response) return;
    const whole = dnsPacket.encode(response);
    const { answers: _left, ...empty } = response;
    const cut = () => dnsPacket.encode({ ...empty, flags: (response.flags ?? 0) | dnsPacket.TRUNCATED_RESPONSE });
    udp.send(whole.length > udpBytes ? cut() : whole, peer.port, peer.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    zone,
    asked,
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
    },
  };
}
