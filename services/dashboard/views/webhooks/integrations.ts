import { useQuery } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { pageOf, rest } from '../../app/api.ts';

export type Integration = components['schemas']['Webhook'];
export type CreatedIntegration = components['schemas']['WebhookWithSecret'];
export type Delivery = components['schemas']['Delivery'];

export const integrationsKey = (site: string) => ['sites', site, 'webhooks'] as const;
export const deliveriesKey = (site: string, id: string) => [...integrationsKey(site), id, 'deliveries'] as const;

/** The integrations of a site, newest first, at most 100. */
export const useIntegrations = (site: string) =>
  useQuery({
    queryKey: integrationsKey(site),
    queryFn: async ({ signal }) =>
      (
        await pageOf(
          rest.GET('/sites/{site}/webhooks', { params: { path: { site }, query: { per_page: 100 } }, signal }),
        )
      ).data,
  });

export const isUnderWay = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'queued' || status === 'processing';

/** How often deliveries that are under way are read again, in milliseconds. */
export const pollMs = 1_500;
