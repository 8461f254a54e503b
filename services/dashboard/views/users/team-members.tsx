import { callOwn } from '../../app/api.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { strings } from './strings.ts';
import type { Team } from './teams.tsx';

/** The members of a team, and a form that adds one. */
export function TeamMembers({ team, onChange }: { team: Team; onChange: () => Promise<void> }) {
  const path = `/teams/${team.slug}/members`;
  return (
    <section aria-label={strings.members}>
      <h3>{strings.members}</h3>
      {team.members.length === 0 ? (
        <p>{strings.noMembers}</p>
      ) : (
        <ul className="rows">
          {team.members.map((email) => (
            <li key={email}>
              <span>{email}</span>
              <ActionButton
                variant="quiet"
                aria-label={strings.removeMember(email)}
                run={async () => {
                  await callOwn('DELETE', path, { email });
                  await onChange();
                }}
              >
                {strings.remove}
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <CallForm send={(values) => callOwn('POST', path, values)} onDone={onChange} submit={strings.add} variant="plain">
        <Field name="email" type="email" label={strings.addMember} isRequired />
      </CallForm>
    </section>
  );
}
