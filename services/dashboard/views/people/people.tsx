import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import UserPlus from 'lucide-react/icons/user-plus';
import { useCallback, useState } from 'react';
import { callOwn } from '../../app/api.ts';
import { may, useMe } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Page } from '../../parts/page.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { type Invited, InviteForm } from './invite-form.tsx';
import { MemberRow, type Members } from './member-row.tsx';
import { strings } from './strings.ts';

/** What the dialog shows: the form, or the link of an invitation. */
type Opened = { kind: 'invite' } | { kind: 'link'; url: string; email: string };

/** The members of a site. Owners invite, change roles and remove. */
export default function PeoplePage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const canManage = may(useMe(), 'members.manage', site) === 'all';
  const client = useQueryClient();
  const queryKey = ['sites', site, 'members'];
  const members = useQuery({
    queryKey,
    queryFn: ({ signal }) => callOwn<Members>('GET', `/sites/${site}/members`, undefined, signal),
  });
  const refresh = () => client.invalidateQueries({ queryKey });
  const [opened, setOpened] = useState<Opened>();
  const openForm = useCallback(() => setOpened({ kind: 'invite' }), []);
  const onInvited = ({ link, mail_queued }: Invited, email: string) => {
    void refresh();
    if (link) return setOpened({ kind: 'link', url: link.url, email });
    setOpened(undefined);
    notify(mail_queued ? strings.invited(email) : strings.roleGiven(email));
  };
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        canManage && (
          <CreateButton id="invite" title={strings.invite} group={strings.title} icon={UserPlus} onPress={openForm} />
        )
      }
    >
      <Loaded query={members}>
        {({ members: all }) => (
          <ul className="rows" aria-label={strings.title}>
            {all.map((member) => (
              <MemberRow key={member.user_id} site={site} member={member} canManage={canManage} onChange={refresh} />
            ))}
          </ul>
        )}
      </Loaded>
      {opened?.kind === 'invite' && (
        <DialogBox title={strings.invite} onClose={() => setOpened(undefined)}>
          <InviteForm site={site} onInvited={onInvited} />
        </DialogBox>
      )}
      {opened?.kind === 'link' && (
        <DialogBox title={strings.linkTitle(opened.email)} onClose={() => setOpened(undefined)} mustBeClosed>
          <div className="form">
            <SecretText text={strings.linkText} secret={opened.url} label={strings.copyLink} />
            <div>
              <Button onPress={() => setOpened(undefined)}>{strings.done}</Button>
            </div>
          </div>
        </DialogBox>
      )}
    </Page>
  );
}
