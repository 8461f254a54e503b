import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import { siteUrl } from '../../core/public-paths.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type DomainProof, readDomainProofs } from './domain-proof.ts';

/** Returns the record of a site; `proof` is from `readDomainProofs`. */
export function presentSite(site: Site, config: Pick<Config, 'edgeUrl'>, proof: DomainProof | null) {
  return {
    id: site.id,
    slug: site.slug,
    name: site.name,
    domain: site.domain,
    aliases: site.aliases,
    domain_proof: proof,
    default_locale: site.default_locale,
    locales: site.locales.map(({ locale }) => locale),
    settings: site.settings,
    url: `${siteUrl(site, config)}/`,
    live_release: site.live_release,
    created_at: formatTimestamp(site.created_at),
    updated_at: formatTimestamp(site.updated_at),
  };
}

/** Returns the record of a site with the current proofs of its domain. */
export async function presentWithProof(
  { config, db }: { config: Pick<Config, 'edgeUrl' | 'domainProof'>; db: Db },
  site: Site,
) {
  const proofOf = await readDomainProofs(db, config, [site]);
  return presentSite(site, config, proofOf(site));
}
