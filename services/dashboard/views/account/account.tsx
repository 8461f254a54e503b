import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOwn } from '../../app/api.ts';
import { meKey, useMe } from '../../app/session.ts';
import { useSignOut } from '../../app/shell-commands.ts';
import { strings as shared } from '../../app/strings.ts';
import { setTheme, type Theme, useTheme } from '../../app/theme.ts';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { notify } from '../../parts/notify.ts';
import { Page, Section } from '../../parts/page.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { Sessions } from './sessions.tsx';
import { strings } from './strings.ts';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

function Password({ hasPassword }: { hasPassword: boolean }) {
  const client = useQueryClient();
  return (
    <CallForm
      send={(values) => callOwn('POST', '/me/password', values)}
      onDone={() => {
        notify(strings.passwordSet);
        void client.invalidateQueries();
      }}
      submit={strings.setPassword}
      variant="plain"
    >
      {hasPassword && (
        <Field
          name="password"
          type="password"
          label={strings.presentPassword}
          autoComplete="current-password"
          isRequired
        />
      )}
      <Field
        name="new_password"
        type="password"
        label={strings.newPassword}
        description={strings.passwordRule}
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        isRequired
      />
    </CallForm>
  );
}

/** The account of the person: name, roles, appearance, password, second factor, sessions. */
export default function Account() {
  const me = useMe();
  const client = useQueryClient();
  const theme = useTheme();
  const signOut = useSignOut();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Page
      title={strings.title}
      lead={me.email}
      actions={
        <Button
          isPending={isLeaving}
          onPress={() => {
            setLeaving(true);
            void signOut();
          }}
        >
          {strings.signOut}
        </Button>
      }
    >
      <Section title={strings.profile}>
        <CallForm
          send={(values) => callOwn('PATCH', '/me', { name: values['name'] ?? '' })}
          onDone={async () => {
            await client.invalidateQueries({ queryKey: meKey });
            notify(strings.nameSaved);
          }}
          submit={strings.saveName}
          variant="plain"
          keepValues
        >
          <Field
            name="name"
            label={strings.name}
            autoComplete="name"
            maxLength={200}
            defaultValue={me.name ?? ''}
            isRequired
          />
        </CallForm>
      </Section>
      <Section title={strings.roles}>
        <ul className="plain-list">
          {me.administrator && <li>{strings.administrator}</li>}
          {me.roles.map(({ site, role }) => (
            <li key={site}>{strings.role(role, site)}</li>
          ))}
          {!me.administrator && me.roles.length === 0 && <li>{strings.noRoles}</li>}
        </ul>
      </Section>
      <Section title={strings.appearance}>
        <Choice
          label={shared.themeLabel}
          value={theme}
          options={themes.map((value) => ({ value, label: shared.theme[value] }))}
          onChange={setTheme}
        />
      </Section>
      <Section title={strings.password}>
        <Password hasPassword={me.has_password} />
      </Section>
      <Section title={strings.secondFactor}>
        <SecondFactorSection me={me} />
      </Section>
      <Section title={strings.sessions} facts={strings.sessionsFact}>
        <Sessions />
      </Section>
    </Page>
  );
}
