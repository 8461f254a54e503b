import type { Config } from '../core/config.ts';
import { canonicalHost, isLoopback } from '../core/hosts.ts';

/**
 * Returns the note about a dashboard and sites that share a host name, or undefined. Browsers do not tell ports apart
 * in cookies, so that scripts of a site could set cookies for the dashboard. On loopback, where one computer has few
 * names, sharing is normal.
 */
export function noteOfSharedHost({ url, edgeUrl }: Pick<Config, 'url' | 'edgeUrl'>): string | undefined {
  const [dashboard, sites] = [new URL(url), new URL(edgeUrl)];
  const isShared = canonicalHost(dashboard.host) === canonicalHost(sites.host);
  if (!isShared || isLoopback(dashboard)) return undefined;
  return (
    `The dashboard (${url}) and the sites (${edgeUrl}) share a host name, and cookies ignore ports: scripts of a site ` +
    'could set cookies for the dashboard. Set FIELDSTONE_EDGE_URL to another host name.'
  );
}
