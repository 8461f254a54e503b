import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Time } from '../../parts/time.tsx';
import { useComponentCalls, useComponents } from './component-data.ts';
import { CreateForm } from './create-form.tsx';
import { strings } from './strings.ts';

/** The components of a site, last changed first. */
export default function ComponentsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const mayWrite = may(useMe(), 'components.write', site) !== 'none';
  const navigate = useNavigate();
  const [page, setPage] = useState(1);
  const components = useComponents(site, page);
  const { create, remove } = useComponentCalls(site);
  const [isAdding, setAdding] = useState(false);
  const open = useCallback(() => setAdding(true), []);
  const button = mayWrite && (
    <CreateButton id="create-component" title={strings.create} group={strings.title} onPress={open} />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={button}>
      <Loaded query={components}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            <EmptyState title={strings.none} text={strings.noneText} />
          ) : (
            <>
              <ul className="rows" aria-label={strings.title}>
                {data.map(({ handle, type, updated_at }) => (
                  <li key={handle}>
                    <div>
                      <Link to={`/sites/${site}/components/${handle}`}>
                        <strong>{handle}</strong>
                      </Link>{' '}
                      <Badge>{strings.shortTypes[type]}</Badge>
                      <small>
                        {strings.changed} <Time at={updated_at} />
                      </small>
                    </div>
                    {mayWrite && (
                      <div className="buttons">
                        <ActionButton variant="quiet" aria-label={strings.deleteOf(handle)} run={() => remove(handle)}>
                          {strings.delete}
                        </ActionButton>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
              <Pager pagination={pagination} onChange={setPage} />
            </>
          )
        }
      </Loaded>
      {isAdding && (
        <DialogBox title={strings.create} onClose={() => setAdding(false)}>
          <CreateForm
            create={create}
            onCreated={(handle) => void navigate({ to: `/sites/${site}/components/${handle}` })}
          />
        </DialogBox>
      )}
    </Page>
  );
}
