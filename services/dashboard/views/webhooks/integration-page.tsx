import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { callOwn, dataOf, rest } from '../../app/api.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog-box.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadedRecord } from '../../parts/loaded.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { Page, Section } from '../../parts/page.tsx';
import { SecretSection } from '../../parts/secret-section.tsx';
import { Time } from '../../parts/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { type Integration, integrationsKey, useIntegrations } from './integrations.ts';
import { SendTest } from './send-test.tsx';
import { SigningExamples } from './signing-examples.tsx';
import { strings } from './strings.ts';

/** Returns the calls on an integration. */
function useIntegrationCalls(site: string, { id, name }: Integration) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { site, id } };
  const refresh = () => client.invalidateQueries({ queryKey: integrationsKey(site), exact: true });
  const setEnabled = async (enabled: boolean) => {
    await rest.PATCH('/sites/{site}/webhooks/{id}', { params, body: { enabled } });
    await refresh();
  };
  return {
    name,
    async toggle(enabled: boolean) {
      await setEnabled(enabled);
      const undo = () => void setEnabled(!enabled).catch(notifyProblem);
      notify(enabled ? strings.isEnabled : strings.isDisabled, { undo });
    },
    async remove() {
      await rest.DELETE('/sites/{site}/webhooks/{id}', { params });
      await navigate({ to: `/sites/${site}/webhooks` });
      await refresh();
      notify(strings.deleted);
    },
    showSecret: async () => (await callOwn<{ secret: string }>('POST', `/sites/${site}/webhooks/${id}/secret`)).secret,
    rotate: async () => (await dataOf(rest.POST('/sites/{site}/webhooks/{id}/rotate', { params }))).secret,
  };
}

function IntegrationView({ site, integration }: { site: string; integration: Integration }) {
  const { name, mapper, url, enabled, created_at } = integration;
  const canManage = may(useMe(), 'integrations.manage', site) !== 'none';
  const calls = useIntegrationCalls(site, integration);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page
      title={name}
      lead={strings.mappers[mapper]}
      actions={
        canManage && (
          <>
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
            [strings.url, <code key="url">{url}</code>],
            [
              strings.status,
              <Badge key="status" tone={enabled ? 'good' : 'warn'}>
                {enabled ? strings.enabled : strings.disabled}
              </Badge>,
            ],
            [strings.created, <Time key="created" at={created_at} />],
          ]}
        />
      </Section>
      <Section title={strings.deliveries}>
        <Deliveries site={site} integration={integration} />
      </Section>
      {canManage && (
        <>
          <Section title={strings.secret}>
            <SecretSection text={strings.secretText} show={calls.showSecret} rotate={calls.rotate} />
          </Section>
          <Section title={strings.test} facts={strings.testFact}>
            <SendTest site={site} integration={integration} readSecret={calls.showSecret} />
          </Section>
        </>
      )}
      <Section title={strings.code} facts={strings.codeText}>
        <SigningExamples />
      </Section>
      {isDeleting && (
        <ConfirmDialog
          title={strings.deleteTitle(name)}
          text={strings.deleteText}
          confirm={strings.deleteConfirm}
          run={calls.remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}

/** An integration: its settings, deliveries and secret, and a test. */
export default function IntegrationPage() {
  const { site, id } = useParams({ strict: false }) as { site: string; id: string };
  return (
    <LoadedRecord query={useIntegrations(site)} id={id}>
      {(integration) => <IntegrationView site={site} integration={integration} />}
    </LoadedRecord>
  );
}
