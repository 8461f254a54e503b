import type { Site, SiteChange } from './site-data.ts';

/** A host name of the site. */
export interface Host {
  name: string;
  isMain: boolean;
  /** The record that proves it; undefined if no proof is required or it is proven. */
  record?: { name: string; value: string };
  /** When it was proven; undefined if no proof is required, null before. */
  provenAt?: string | null;
}

/** Returns the host names of a site, the main one first. */
export function hostsOf({ domain, aliases, domain_proof: proof }: Site): Host[] {
  const names = domain === null ? aliases : [domain, ...aliases];
  return names.map((name) => {
    const host = { name, isMain: name === domain };
    if (!proof) return host;
    const own = host.isMain ? proof : proof.aliases[aliases.indexOf(name)];
    const provenAt = own?.proven_at ?? null;
    return { ...host, provenAt, ...(own && provenAt === null && { record: { name: own.name, value: proof.value } }) };
  });
}

/** Returns the change that adds a host: the first one is the main one. */
export const addHost = ({ domain, aliases }: Site, name: string): SiteChange =>
  domain === null ? { domain: name, aliases } : { domain, aliases: [...aliases, name] };

/** Returns the change that makes an alias the main host; the former one becomes an alias. */
export const promoteHost = ({ domain, aliases }: Site, name: string): SiteChange => ({
  domain: name,
  aliases: [...(domain === null ? [] : [domain]), ...aliases.filter((alias) => alias !== name)],
});

/** Returns the change that removes a host. In place of the main one, the first alias becomes the main one. */
export function removeHost({ domain, aliases }: Site, name: string): SiteChange {
  const [main = null, ...others] = [...(domain === null ? [] : [domain]), ...aliases].filter((host) => host !== name);
  return { domain: main, aliases: others };
}
