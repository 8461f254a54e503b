import { useState } from 'react';
import { callOwn } from '../../app/api.ts';
import { toTimestamp } from '../../app/format.ts';
import { Problem } from '../../app/problem.ts';
import { useMe } from '../../app/session.ts';
import { useSites } from '../../app/sites.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { CheckboxList } from '../../parts/checkbox-list.tsx';
import { Field } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import type { CreatedKey } from './keys.tsx';
import { strings } from './strings.ts';

const dayMs = 86_400_000;

const invalid = (message: string) => new Problem(message, { code: 'validation_failed', status: 422 });

/** The form of a new key. */
export function CreateKeyForm({
  scopes,
  onCreated,
}: {
  /** What each scope allows. */
  scopes: Record<string, string>;
  onCreated: (key: CreatedKey) => void;
}) {
  const me = useMe();
  const { data: sites = [] } = useSites();
  const [chosenScopes, setChosenScopes] = useState<string[]>([]);
  const [chosenSites, setChosenSites] = useState<string[]>([]);
  const [days, setDays] = useState('');
  const send = async ({ name, user }: Record<string, string>) => {
    if (chosenScopes.length === 0) throw invalid(strings.needScope);
    if (chosenSites.length === 0) throw invalid(strings.needSite);
    return callOwn<CreatedKey>('POST', '/keys', {
      name,
      scopes: chosenScopes,
      sites: chosenSites.includes('*') ? ['*'] : chosenSites,
      expires_at: days === '' ? null : toTimestamp(new Date(Date.now() + Number(days) * dayMs)),
      ...(user === undefined ? {} : { user }),
    });
  };
  return (
    <CallForm send={send} onDone={onCreated} submit={strings.create} keepValues>
      <Field name="name" label={strings.name} description={strings.nameHint} maxLength={200} isRequired autoFocus />
      <CheckboxList
        label={strings.scopes}
        value={chosenScopes}
        options={Object.entries(scopes).map(([value, description]) => ({ value, label: value, description }))}
        onChange={setChosenScopes}
      />
      <CheckboxList
        label={strings.sites}
        value={chosenSites}
        options={[
          ...sites.map(({ slug, name }) => ({ value: slug, label: name })),
          { value: '*', label: strings.everySite },
        ]}
        onChange={setChosenSites}
      />
      <SelectField label={strings.expiry} value={days} options={Object.entries(strings.expiries)} onChange={setDays} />
      {me.administrator && <Field name="user" type="email" label={strings.user} description={strings.userHint} />}
    </CallForm>
  );
}
