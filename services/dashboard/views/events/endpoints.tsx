import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { may, useMe } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { CreateForm } from './create-form.tsx';
import { type CreatedEndpoint, endpointsKey, useEndpoints } from './endpoint-data.ts';
import { EndpointStatus } from './endpoint-status.tsx';
import { strings } from './strings.ts';

/** The event endpoints of a site. */
export default function EndpointsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const canManage = may(useMe(), 'event_endpoints.manage', site) !== 'none';
  const client = useQueryClient();
  const navigate = useNavigate();
  const endpoints = useEndpoints(site);
  const [opened, setOpened] = useState<'create' | CreatedEndpoint>();
  const close = () => setOpened(undefined);
  const openForm = useCallback(() => setOpened('create'), []);
  const create = canManage && (
    <CreateButton id="create-endpoint" title={strings.create} group={strings.title} onPress={openForm} />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={create}>
      <Loaded query={endpoints}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={strings.none} text={strings.noneText} />
          ) : (
            <ul className="rows" aria-label={strings.title}>
              {all.map((endpoint) => (
                <li key={endpoint.id}>
                  <div>
                    <Link to={`/sites/${site}/events/${endpoint.id}`}>
                      <strong>{endpoint.url}</strong>
                    </Link>{' '}
                    <EndpointStatus endpoint={endpoint} />
                    <small>{endpoint.events.join(', ')}</small>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {opened === 'create' && (
        <DialogBox title={strings.create} onClose={close}>
          <CreateForm
            site={site}
            onCreated={(endpoint) => {
              setOpened(endpoint);
              void client.invalidateQueries({ queryKey: endpointsKey(site) });
            }}
          />
        </DialogBox>
      )}
      {typeof opened === 'object' && (
        <DialogBox title={strings.createdTitle} onClose={close} mustBeClosed>
          <div className="form">
            <SecretText text={strings.createdText} secret={opened.secret} label={strings.copySecret} />
            <div>
              <Button variant="primary" onPress={() => void navigate({ to: `/sites/${site}/events/${opened.id}` })}>
                {strings.open}
              </Button>
            </div>
          </div>
        </DialogBox>
      )}
    </Page>
  );
}
