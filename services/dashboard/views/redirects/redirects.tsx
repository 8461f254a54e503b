import { useParams } from '@tanstack/react-router';
import ArrowRight from 'lucide-react/icons/arrow-right';
import { useCallback, useState } from 'react';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { Time } from '../../parts/time.tsx';
import { type Redirect, useRedirectCalls, useRedirects } from './redirect-data.ts';
import { RedirectForm } from './redirect-form.tsx';
import { strings } from './strings.ts';

function Row({
  redirect: { from, to, status, created_at },
  onEdit,
  onRemove,
}: {
  redirect: Redirect;
  onEdit?: () => void;
  onRemove?: () => Promise<void>;
}) {
  return (
    <li>
      <div>
        <span className="redirect-rule">
          <strong>{from}</strong> <ArrowRight aria-label={strings.to} size={14} /> <span>{to}</span>
        </span>
        <small>
          <Badge>{status}</Badge> <Time at={created_at} />
        </small>
      </div>
      {onEdit && onRemove && (
        <div className="buttons">
          <Button variant="quiet" aria-label={strings.editOf(from)} onPress={onEdit}>
            {strings.edit}
          </Button>
          <ActionButton variant="quiet" aria-label={strings.deleteOf(from)} run={onRemove}>
            {strings.delete}
          </ActionButton>
        </div>
      )}
    </li>
  );
}

/** The redirects of a site. */
export default function RedirectsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const mayWrite = may(useMe(), 'redirects.write', site) !== 'none';
  const [{ q, page }, setShown] = useState({ q: '', page: 1 });
  const redirects = useRedirects(site, q, page);
  const calls = useRedirectCalls(site);
  const [opened, setOpened] = useState<'create' | Redirect>();
  const search = useCallback((text: string) => setShown((now) => (now.q === text ? now : { q: text, page: 1 })), []);
  const openForm = useCallback(() => setOpened('create'), []);
  const close = () => setOpened(undefined);
  const create = mayWrite && (
    <CreateButton id="create-redirect" title={strings.create} group={strings.title} onPress={openForm} />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={create}>
      <Loaded query={redirects}>
        {({ data, pagination }) =>
          pagination.total === 0 && q === '' ? (
            <EmptyState title={strings.none} text={strings.noneText} />
          ) : (
            <>
              <SearchBox label={strings.search} placeholder={strings.searchHint} onSearch={search} />
              <p role="status" className={pagination.total === 0 ? '' : 'visually-hidden'}>
                {strings.found(pagination.total)}
              </p>
              <ul className="rows" aria-label={strings.title}>
                {data.map((redirect) => (
                  <Row
                    key={redirect.id}
                    redirect={redirect}
                    {...(mayWrite && { onEdit: () => setOpened(redirect), onRemove: () => calls.remove(redirect) })}
                  />
                ))}
              </ul>
              <Pager pagination={pagination} onChange={(next) => setShown({ q, page: next })} />
            </>
          )
        }
      </Loaded>
      {opened === 'create' && (
        <DialogBox title={strings.create} onClose={close}>
          <RedirectForm send={calls.create} onDone={close} />
        </DialogBox>
      )}
      {typeof opened === 'object' && (
        <DialogBox title={strings.editTitle} onClose={close}>
          <RedirectForm redirect={opened} send={(rule) => calls.update(opened, rule)} onDone={close} />
        </DialogBox>
      )}
    </Page>
  );
}
