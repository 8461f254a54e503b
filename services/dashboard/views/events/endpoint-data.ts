import { useQuery } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { pageOf, rest } from '../../app/api.ts';

export type Endpoint = components['schemas']['EventEndpoint'];
export type CreatedEndpoint = components['schemas']['EventEndpointWithSecret'];
export type SiteEvent = components['schemas']['Event'];
export type EventType = Endpoint['events'][number];

export const endpointsKey = (site: string) => ['sites', site, 'event-endpoints'] as const;
export const eventsKey = (site: string, endpoint: string) => ['sites', site, 'events', endpoint] as const;

/** The event endpoints of a site, newest first; a site has at most 20. */
export const useEndpoints = (site: string) =>
  useQuery({
    queryKey: endpointsKey(site),
    queryFn: async ({ signal }) =>
      (
        await pageOf(
          rest.GET('/sites/{site}/event-endpoints', { params: { path: { site }, query: { per_page: 100 } }, signal }),
        )
      ).data,
  });

/** Whether something is still to happen soon. */
export const isUnderWay = ({ status }: SiteEvent): boolean => status === 'queued' || status === 'sending';

/** How often events that are under way are read again, in milliseconds. */
export const pollMs = 1_500;
