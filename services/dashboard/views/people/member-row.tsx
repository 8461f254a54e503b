import type { z } from 'zod';
import type { SiteRole } from '../../../core/roles.ts';
import type { membersRecord } from '../../../features/people/schema.ts';
import { callOwn } from '../../app/api.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { RoleSelect } from '../../parts/role-select.tsx';
import { strings } from './strings.ts';

export type Members = z.output<typeof membersRecord>;
type Member = Members['members'][number];
type GivenRole = Member['roles'][number];

function describeRole({ role, site, team }: GivenRole): string {
  if (team !== null) return strings.roleOfTeam(role, team);
  return site === '*' ? strings.roleEverywhere(role) : strings.roleHere(role);
}

function MemberState({ member }: { member: Member }) {
  if (!member.active) return <Badge tone="bad">{strings.deactivated}</Badge>;
  if (member.has_password) return null;
  if (member.invitation_mail?.status === 'failed') return <Badge tone="warn">{strings.mailFailed}</Badge>;
  return <Badge>{strings.invitedState}</Badge>;
}

/** A member with roles and the state of the invitation. A role given directly on the site can be changed and removed. */
export function MemberRow({
  site,
  member,
  canManage,
  onChange,
}: {
  site: string;
  member: Member;
  canManage: boolean;
  onChange: () => Promise<unknown>;
}) {
  const { email, name, roles, user_id: id, invitation_mail: mail } = member;
  const direct = roles.find((given) => given.team === null && given.site === site);
  const path = `/sites/${site}/members`;
  const setRole = async (role: SiteRole) => {
    await callOwn('PATCH', `${path}/${id}`, { role });
    await onChange();
  };
  const change = async (role: SiteRole, previous: SiteRole) => {
    await setRole(role);
    notify(strings.roleChanged(email, role), { undo: () => void setRole(previous).catch(notifyProblem) });
  };
  const restore = async (role: SiteRole) => {
    await callOwn('POST', path, { email, role });
    await onChange();
  };
  const remove = async (role: SiteRole) => {
    await callOwn('DELETE', `${path}/${id}`);
    await onChange();
    // giving the role again to a user without a password would be another invitation
    const undo = member.active && member.has_password ? () => void restore(role).catch(notifyProblem) : undefined;
    notify(strings.removed(email), undo ? { undo } : {});
  };
  return (
    <li>
      <div>
        <strong>{name ?? email}</strong> <MemberState member={member} />
        {name !== null && <small>{email}</small>}
        <small>{roles.map(describeRole).join(', ')}</small>
        {mail?.status === 'failed' && mail.error !== null && <small>{strings.mailError(mail.error)}</small>}
      </div>
      {canManage && direct && (
        <div className="buttons">
          <RoleSelect
            label={strings.roleOf(email)}
            value={direct.role}
            onChange={(role) => void change(role, direct.role).catch(notifyProblem)}
          />
          <ActionButton variant="quiet" aria-label={strings.removeFrom(email)} run={() => remove(direct.role)}>
            {strings.remove}
          </ActionButton>
        </div>
      )}
    </li>
  );
}
