import { formatTimestamp } from '../../core/timestamp.ts';
import type { App } from '../app.ts';
import type { IntegrationRow } from './sql.ts';

/** Returns the record of an integration (contract: Records); `url` receives its deliveries. */
export function presentIntegration(
  row: Pick<IntegrationRow, 'id' | 'slug' | 'name' | 'mapper' | 'enabled' | 'created_at'>,
  config: Pick<App['config'], 'url'>,
) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    mapper: row.mapper,
    enabled: row.enabled,
    url: `${config.url}/webhooks/${row.slug}`,
    created_at: formatTimestamp(row.created_at),
  };
}
