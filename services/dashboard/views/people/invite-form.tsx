import { useState } from 'react';
import type { z } from 'zod';
import type { SiteRole } from '../../../core/roles.ts';
import type { invitedRecord } from '../../../features/people/schema.ts';
import { callOwn } from '../../app/api.ts';
import { useMe } from '../../app/session.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { roleOptions } from '../../parts/role-select.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { strings } from './strings.ts';

export type Invited = z.output<typeof invitedRecord>;

/** The form that invites a person to a site. `onInvited` gets what was done, and whom it concerns. */
export function InviteForm({
  site,
  onInvited,
}: {
  site: string;
  onInvited: (invited: Invited, email: string) => void;
}) {
  const me = useMe();
  const [role, setRole] = useState<SiteRole>('editor');
  return (
    <CallForm
      send={({ email }) => callOwn<Invited>('POST', `/sites/${site}/members`, { email, role })}
      onDone={(invited, { email = '' }) => onInvited(invited, email)}
      submit={strings.submit}
      keepValues
    >
      {!me.sends_mail && <p>{me.administrator ? strings.noMail : strings.noMailOwner}</p>}
      <Field name="email" type="email" label={strings.email} isRequired autoFocus />
      <SelectField
        label={strings.role}
        value={role}
        options={roleOptions}
        onChange={(value) => setRole(value as SiteRole)}
      />
    </CallForm>
  );
}
