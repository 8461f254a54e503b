import { lookup, Resolver } from 'node:dns/promises';
import { isPublicAddress } from './address.ts';
import { fetchError } from './errors.ts';
import type { Target } from './target.ts';

/** Resolves to all IP addresses of a name. `local` resolves as the machine itself would: hosts file, search domains. */
export type ResolveHost = (hostname: string, options: { local: boolean; signal: AbortSignal }) => Promise<string[]>;

/**
 * Returns the IP addresses that a target may be connected to: resolved once and each checked; connections are made to
 * these, never to the name. One private address rejects the whole name, since no legitimate site publishes such a mix.
 * Throws FetchError `dns_failed` or `refused_address`, which have the same message.
 */
export async function resolveTarget(target: Target, resolve: ResolveHost, signal: AbortSignal): Promise<string[]> {
  if (target.address !== null) return [target.address];
  const addresses = await resolve(target.url.hostname, { local: target.allowed, signal }).catch((cause: unknown) => {
    throw fetchError('dns_failed', { cause });
  });
  if (addresses.length === 0) throw fetchError('dns_failed');
  if (!target.allowed && !addresses.every(isPublicAddress)) throw fetchError('refused_address');
  return addresses;
}

/**
 * Resolves names by default. Queries the DNS servers directly for public names: absolute, without the hosts file and
 * search domains, which reveal the internal network; cancellable; and not on the thread pool, which a slow name server
 * would otherwise block for files and images too.
 */
export const resolveHost: ResolveHost = async (hostname, { local, signal }) => {
  signal.throwIfAborted();
  if (local) return (await lookup(hostname, { all: true })).map((entry) => entry.address);
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await resolveBothFamilies(resolver, hostname);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

async function resolveBothFamilies(resolver: Resolver, hostname: string): Promise<string[]> {
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  const [first] = families;
  if (addresses.length === 0 && first?.status === 'rejected') throw first.reason;
  return addresses;
}
