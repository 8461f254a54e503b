import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { callOwn, dataOf, rest } from '../../app/api.ts';
import { describeBytes } from '../../app/format.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { type Forecast, ForecastSection } from './forecast-section.tsx';
import { type Delivery, deliveriesKey, isUnderWay, pollMs, useIntegrations } from './integrations.ts';
import { strings } from './strings.ts';
import { Timeline } from './timeline.tsx';

function DeliveryBody({ delivery: { body, body_encoding } }: { delivery: Delivery }) {
  if (body === null) return <p>{strings.bodyGone}</p>;
  return (
    <>
      {body_encoding === 'base64' && <p>{strings.bodyEncoding}</p>}
      <CodeBlock label={strings.body} text={body} wraps />
    </>
  );
}

function LivePage({ result }: Pick<Delivery, 'result'>) {
  const url = result['url'];
  return typeof url === 'string' ? (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ) : null;
}

/** A delivery: its status and timeline, what was received, a replay and what one would change. */
export default function DeliveryPage() {
  const { site, id, delivery: deliveryId } = useParams({ strict: false }) as Record<'site' | 'id' | 'delivery', string>;
  const params = { path: { site, id, delivery: deliveryId } };
  const canManage = may(useMe(), 'integrations.manage', site) !== 'none';
  const client = useQueryClient();
  const integration = useIntegrations(site).data?.find((one) => one.id === id);
  const [forecast, setForecast] = useState<Forecast>();
  const queryKey = [...deliveriesKey(site, id), deliveryId];
  const delivery = useQuery({
    queryKey,
    queryFn: ({ signal }) => dataOf(rest.GET('/sites/{site}/webhooks/{id}/deliveries/{delivery}', { params, signal })),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? pollMs : false),
  });
  const replay = async () => {
    await rest.POST('/sites/{site}/webhooks/{id}/deliveries/{delivery}/replay', { params });
    setForecast(undefined);
    await client.invalidateQueries({ queryKey: deliveriesKey(site, id) });
    notify(strings.replayed);
  };
  const tryReplay = () => callOwn<Forecast>('GET', `/sites/${site}/webhooks/${id}/deliveries/${deliveryId}/forecast`);
  return (
    <Loaded query={delivery}>
      {(record) => (
        <Page
          title={strings.deliveryTitle(record.delivery_id)}
          lead={integration && <Link to={`/sites/${site}/webhooks/${id}`}>{strings.back(integration.name)}</Link>}
          actions={
            canManage &&
            record.body !== null && (
              <>
                <ActionButton run={tryReplay} onDone={setForecast}>
                  {strings.forecast}
                </ActionButton>
                <ActionButton variant="primary" run={replay}>
                  {strings.replay}
                </ActionButton>
              </>
            )
          }
        >
          {forecast && <ForecastSection forecast={forecast} />}
          <Section title={strings.result}>
            <Facts
              entries={[
                [strings.status, <DeliveryStatus key="status" status={record.status} />],
                [strings.page, record.result['url'] !== undefined && <LivePage key="page" result={record.result} />],
                [strings.error, record.error],
                [strings.attempts, record.attempts],
                [strings.nextAttempt, record.next_attempt_at && <Time key="next" at={record.next_attempt_at} />],
                [strings.received, <Time key="received" at={record.received_at} />],
                [strings.bodyBytes, describeBytes(record.body_bytes)],
              ]}
            />
          </Section>
          <Section title={strings.timeline}>
            <Timeline entries={record.timeline} />
          </Section>
          <Section title={strings.headers}>
            <Facts entries={Object.entries(record.headers)} />
          </Section>
          <Section title={strings.body}>
            <DeliveryBody delivery={record} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}
