import { Page, Section } from '../../parts/page.tsx';
import { strings } from './strings.ts';
import { Teams } from './teams.tsx';
import { Users } from './users.tsx';

/** Users and teams of the installation, for administrators. */
export default function UsersAndTeams() {
  return (
    <Page title={strings.title} lead={strings.lead}>
      <Section title={strings.users}>
        <Users />
      </Section>
      <Section title={strings.teams} facts={strings.teamsFact}>
        <Teams />
      </Section>
    </Page>
  );
}
