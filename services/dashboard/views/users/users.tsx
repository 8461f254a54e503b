import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { invitedRecord, usersRecord } from '../../../features/people/schema.ts';
import { callOwn } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { SecretText } from '../../parts/secret-text.tsx';
import { strings } from './strings.ts';

type UsersRecord = z.output<typeof usersRecord>;
type User = UsersRecord['users'][number];
type Invited = z.output<typeof invitedRecord>;
/** What an administrator changes of a user. */
type Change = { active: boolean } | { administrator: boolean };

const queryKey = ['users'] as const;

const describeRoles = (roles: User['roles']): string =>
  roles === null || roles.length === 0
    ? strings.noRole
    : roles.map(({ role, site, team }) => strings.role(role, site, team)).join(', ');

function UserActions({ user, onLink }: { user: User; onLink: (url: string) => void }) {
  const client = useQueryClient();
  const { id, email, active, administrator } = user;
  const update = async (change: Change) => {
    await callOwn('PATCH', `/users/${id}`, change);
    await client.invalidateQueries({ queryKey });
  };
  const updateWithUndo = async (change: Change, reverse: Change, text: string) => {
    await update(change);
    notify(text, { undo: () => void update(reverse).catch(notifyProblem) });
  };
  const reset = async () => {
    const { link } = await callOwn<Invited>('POST', `/users/${id}/reset`);
    if (link) onLink(link.url);
    else notify(strings.resetMailed(email));
  };
  const setAdministrator = (value: boolean) =>
    updateWithUndo(
      { administrator: value },
      { administrator: !value },
      value ? strings.administratorMade(email) : strings.administratorEnded(email),
    );
  const setActive = (value: boolean) =>
    updateWithUndo(
      { active: value },
      { active: !value },
      value ? strings.userActivated(email) : strings.userDeactivated(email),
    );
  return (
    <div className="buttons">
      {active && (
        <>
          <ActionButton variant="quiet" aria-label={strings.resetOf(email)} run={reset}>
            {strings.reset}
          </ActionButton>
          <ActionButton
            variant="quiet"
            aria-label={administrator ? strings.endAdministratorOf(email) : strings.makeAdministratorOf(email)}
            run={() => setAdministrator(!administrator)}
          >
            {administrator ? strings.endAdministrator : strings.makeAdministrator}
          </ActionButton>
        </>
      )}
      <ActionButton
        variant="quiet"
        aria-label={active ? strings.deactivateOf(email) : strings.activateOf(email)}
        run={() => setActive(!active)}
      >
        {active ? strings.deactivate : strings.activate}
      </ActionButton>
    </div>
  );
}

/** The users of the installation. Administrators activate and deactivate them, and make links that set a new password. */
export function Users() {
  const me = useMe();
  const users = useQuery({
    queryKey,
    queryFn: ({ signal }) => callOwn<UsersRecord>('GET', '/users', undefined, signal),
  });
  const [link, setLink] = useState<{ email: string; url: string }>();
  return (
    <Loaded query={users}>
      {({ users: all }) => (
        <>
          <ul className="rows" aria-label={strings.users}>
            {all.map((user) => (
              <li key={user.id}>
                <div>
                  <strong>{user.email}</strong>{' '}
                  {user.administrator && <Badge tone="good">{strings.administrator}</Badge>}{' '}
                  {!user.active && <Badge tone="bad">{strings.deactivated}</Badge>}
                  <small>{user.id === me.id ? strings.you : describeRoles(user.roles)}</small>
                </div>
                {user.id !== me.id && <UserActions user={user} onLink={(url) => setLink({ email: user.email, url })} />}
              </li>
            ))}
          </ul>
          {link && (
            <DialogBox title={strings.resetTitle(link.email)} onClose={() => setLink(undefined)} mustBeClosed>
              <div className="form">
                <SecretText text={strings.resetText} secret={link.url} label={strings.copyLink} />
                <div>
                  <Button onPress={() => setLink(undefined)}>{strings.done}</Button>
                </div>
              </div>
            </DialogBox>
          )}
        </>
      )}
    </Loaded>
  );
}
