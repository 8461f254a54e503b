import { useState } from 'react';
import type { SiteRole } from '../../../core/roles.ts';
import { callOwn } from '../../app/api.ts';
import { useSites } from '../../app/sites.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { CheckboxList } from '../../parts/checkbox-list.tsx';
import { Field } from '../../parts/field.tsx';
import { roleOptions } from '../../parts/role-select.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { strings } from './strings.ts';
import type { Team } from './teams.tsx';

/** The form of a new team, or of the role and sites of a present one. */
export function TeamForm({ team, onSaved }: { team?: Team; onSaved: (team: Team) => Promise<void> }) {
  const { data: sites = [] } = useSites();
  const [role, setRole] = useState<SiteRole>(team?.role ?? 'editor');
  const [chosen, setChosen] = useState<string[]>(team?.sites ?? []);
  return (
    <CallForm
      send={({ name }) =>
        team
          ? callOwn<Team>('PATCH', `/teams/${team.slug}`, { sites: chosen, role })
          : callOwn<Team>('POST', '/teams', { name, sites: chosen, role })
      }
      onDone={onSaved}
      submit={team ? strings.save : strings.createTeam}
      variant={team ? 'plain' : 'primary'}
      keepValues
    >
      {!team && <Field name="name" label={strings.name} maxLength={200} isRequired autoFocus />}
      <SelectField
        label={strings.teamRole}
        value={role}
        options={roleOptions}
        onChange={(value) => setRole(value as SiteRole)}
      />
      <CheckboxList
        label={strings.sites}
        value={chosen}
        options={[
          ...sites.map(({ slug, name }) => ({ value: slug, label: name })),
          { value: '*', label: strings.everySite },
        ]}
        onChange={setChosen}
      />
    </CallForm>
  );
}
