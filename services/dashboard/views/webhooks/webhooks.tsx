import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { may, useMe } from '../../app/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { CreateForm } from './create-form.tsx';
import { type CreatedIntegration, integrationsKey, useIntegrations } from './integrations.ts';
import { strings } from './strings.ts';

/** What is to be entered at the provider. */
function Created({ integration: { url, secret }, onOpen }: { integration: CreatedIntegration; onOpen: () => void }) {
  return (
    <div className="form">
      <div className="secret-text">
        <p>{strings.url}</p>
        <code>{url}</code>
        <CopyButton text={url} label={strings.copyUrl} />
      </div>
      <SecretText text={strings.createdText} secret={secret} label={strings.copySecret} />
      <div>
        <Button variant="primary" onPress={onOpen}>
          {strings.open}
        </Button>
      </div>
    </div>
  );
}

/** The integrations of a site. */
export default function WebhooksPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const canManage = may(useMe(), 'integrations.manage', site) !== 'none';
  const client = useQueryClient();
  const navigate = useNavigate();
  const integrations = useIntegrations(site);
  const [opened, setOpened] = useState<'create' | CreatedIntegration>();
  const openForm = useCallback(() => setOpened('create'), []);
  const create = canManage && (
    <CreateButton id="create-webhook" title={strings.create} group={strings.title} onPress={openForm} />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={create}>
      <Loaded query={integrations}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={strings.none} text={strings.noneText} />
          ) : (
            <ul className="rows" aria-label={strings.title}>
              {all.map(({ id, name, mapper, url, enabled }) => (
                <li key={id}>
                  <div>
                    <Link to={`/sites/${site}/webhooks/${id}`}>
                      <strong>{name}</strong>
                    </Link>{' '}
                    {!enabled && <Badge tone="warn">{strings.disabled}</Badge>}
                    <small>{strings.mappers[mapper]}</small>
                    <small>{url}</small>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {opened === 'create' && (
        <DialogBox title={strings.create} onClose={() => setOpened(undefined)}>
          <CreateForm
            site={site}
            onCreated={(integration) => {
              setOpened(integration);
              void client.invalidateQueries({ queryKey: integrationsKey(site) });
            }}
          />
        </DialogBox>
      )}
      {typeof opened === 'object' && (
        <DialogBox title={strings.createdTitle(opened.name)} onClose={() => setOpened(undefined)} mustBeClosed>
          <Created integration={opened} onOpen={() => void navigate({ to: `/sites/${site}/webhooks/${opened.id}` })} />
        </DialogBox>
      )}
    </Page>
  );
}
