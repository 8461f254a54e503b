import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { callOwn, dataOf, rest } from '../../app/api.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog-box.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadedRecord } from '../../parts/loaded.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { Page, Section } from '../../parts/page.tsx';
import { SecretSection } from '../../parts/secret-section.tsx';
import { Time } from '../../parts/time.tsx';
import { type Endpoint, type EventType, endpointsKey, eventsKey, useEndpoints } from './endpoint-data.ts';
import { EndpointStatus } from './endpoint-status.tsx';
import { SentEvents } from './sent-events.tsx';
import { strings } from './strings.ts';
import { TypeList } from './type-list.tsx';

/** Returns the calls on an event endpoint. */
function useEndpointCalls(site: string, { id }: Endpoint) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { site, id } };
  const update = async (body: { enabled?: boolean; events?: EventType[] }) => {
    await rest.PATCH('/sites/{site}/event-endpoints/{id}', { params, body });
    await client.invalidateQueries({ queryKey: endpointsKey(site) });
  };
  return {
    async toggle(enabled: boolean) {
      await update({ enabled });
      const undo = () => void update({ enabled: !enabled }).catch(notifyProblem);
      notify(enabled ? strings.isEnabled : strings.isDisabled, { undo });
    },
    async setTypes(events: EventType[]) {
      await update({ events });
      notify(strings.changed);
    },
    async remove() {
      await rest.DELETE('/sites/{site}/event-endpoints/{id}', { params });
      await navigate({ to: `/sites/${site}/events` });
      await client.invalidateQueries({ queryKey: endpointsKey(site) });
      notify(strings.deleted);
    },
    async test() {
      await rest.POST('/sites/{site}/event-endpoints/{id}/test', { params });
      await client.invalidateQueries({ queryKey: eventsKey(site, id) });
      notify(strings.testSent);
    },
    showSecret: async () =>
      (await callOwn<{ secret: string }>('POST', `/sites/${site}/event-endpoints/${id}/secret`)).secret,
    rotate: async () => (await dataOf(rest.POST('/sites/{site}/event-endpoints/{id}/rotate', { params }))).secret,
  };
}

function EndpointView({ site, endpoint }: { site: string; endpoint: Endpoint }) {
  const { url, events, enabled, failing_since, disabled_reason, created_at } = endpoint;
  const canManage = may(useMe(), 'event_endpoints.manage', site) !== 'none';
  const calls = useEndpointCalls(site, endpoint);
  const [types, setTypes] = useState(events);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page
      title={new URL(url).host}
      lead={url}
      actions={
        canManage && (
          <>
            <ActionButton variant="primary" run={calls.test} isDisabled={!enabled}>
              {strings.test}
            </ActionButton>
            <ActionButton run={() => calls.toggle(!enabled)}>{enabled ? strings.disable : strings.enable}</ActionButton>
            <Button variant="danger" onPress={() => setDeleting(true)}>
              {strings.delete}
            </Button>
          </>
        )
      }
    >
      <Section title={strings.settings}>
        <Facts
          entries={[
            [strings.status, <EndpointStatus key="status" endpoint={endpoint} />],
            [strings.reason, disabled_reason],
            [strings.failingSince, failing_since !== null && <Time key="failing" at={failing_since} />],
            [strings.types, !canManage && events.join(', ')],
            [strings.created, <Time key="created" at={created_at} />],
          ]}
        />
      </Section>
      <Section title={strings.sent}>
        <SentEvents site={site} endpoint={endpoint} canManage={canManage} />
      </Section>
      {canManage && (
        <>
          <Section title={strings.types}>
            <TypeList value={types} onChange={setTypes} />
            <ActionButton run={() => calls.setTypes(types)} isDisabled={types.length === 0}>
              {strings.change}
            </ActionButton>
          </Section>
          <Section title={strings.secret}>
            <SecretSection text={strings.secretText} show={calls.showSecret} rotate={calls.rotate} />
          </Section>
        </>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={strings.deleteTitle}
          text={strings.deleteText}
          confirm={strings.deleteConfirm}
          run={calls.remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}

/** An event endpoint: its settings and secret, and the events that it got. */
export default function EndpointPage() {
  const { site, id } = useParams({ strict: false }) as { site: string; id: string };
  return (
    <LoadedRecord query={useEndpoints(site)} id={id}>
      {(endpoint) => <EndpointView site={site} endpoint={endpoint} />}
    </LoadedRecord>
  );
}
