import { Resolver } from 'node:dns/promises';

/** DNS error codes for "the name has no such record". */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

export interface DnsSettings {
  /** IP addresses, with a port where it is not 53; empty: the servers that the machine uses. */
  dnsServers: readonly string[];
}

/**
 * Returns a function that reads the TXT records of a name, each as one text; an empty list when the name has no records. It
 * rejects when the servers do not respond, or respond with a failure, within about ten seconds.
 */
export function createTxtReader({ dnsServers }: DnsSettings): (name: string) => Promise<string[]> {
  return async (name) => {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (dnsServers.length > 0) resolver.setServers(dnsServers);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((pieces) => pieces.join(''));
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
}
