import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pageOf, rest } from '../../app/api.ts';
import { describeBytes } from '../../app/format.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { Time } from '../../parts/time.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { type Delivery, deliveriesKey, type Integration, isUnderWay, pollMs } from './integrations.ts';
import { strings } from './strings.ts';

const perPage = 20;
type Status = Delivery['status'];

/** The deliveries of an integration, newest first; read again while one is under way. */
export function Deliveries({ site, integration: { id } }: { site: string; integration: Integration }) {
  const [status, setStatus] = useState<Status | ''>('');
  const [page, setPage] = useState(1);
  const deliveries = useQuery({
    queryKey: [...deliveriesKey(site, id), status, page],
    queryFn: ({ signal }) =>
      pageOf(
        rest.GET('/sites/{site}/webhooks/{id}/deliveries', {
          params: {
            path: { site, id },
            query: {
              page,
              per_page: perPage,
              fields: ['id', 'delivery_id', 'status', 'received_at', 'body_bytes', 'error'],
              ...(status === '' ? {} : { status }),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? pollMs : false),
  });
  return (
    <>
      <div className="filters">
        <SelectField
          label={strings.status}
          value={status}
          options={[['', strings.anyStatus], ...Object.entries(strings.statuses)]}
          onChange={(value) => {
            setStatus(value as Status | '');
            setPage(1);
          }}
        />
      </div>
      <Loaded query={deliveries}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p>{status === '' ? strings.noDeliveries : strings.noSuchDeliveries}</p>
          ) : (
            <>
              <ul className="rows" aria-label={strings.deliveries}>
                {data.map((delivery) => (
                  <li key={delivery.id}>
                    <div>
                      <Link to={`/sites/${site}/webhooks/${id}/${delivery.id}`}>
                        <strong>{delivery.delivery_id}</strong>
                      </Link>{' '}
                      <DeliveryStatus status={delivery.status} />
                      <small>
                        <Time at={delivery.received_at} /> · {describeBytes(delivery.body_bytes)}
                      </small>
                      {delivery.error !== null && <small>{delivery.error}</small>}
                    </div>
                  </li>
                ))}
              </ul>
              <Pager pagination={pagination} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
