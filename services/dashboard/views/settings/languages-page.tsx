import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { components } from '../../../client/schema.ts';
import { dataOf, pageOf, rest } from '../../app/api.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { useChangeSite, useTaggedSite } from './site-data.ts';
import { strings } from './strings.ts';

type Language = components['schemas']['Language'];

/** Reads and changes the languages of a site. */
function useLanguageCalls(site: string) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['sites', site] });
  const params = { path: { site } };
  const add = async (body: { locale: string; name?: string }) => {
    const language = await dataOf(rest.POST('/sites/{site}/languages', { params, body }));
    await refresh();
    return language;
  };
  const change = useChangeSite(site, { reloadsOnConflict: true });
  return {
    languages: useQuery({
      queryKey: ['sites', site, 'languages'],
      queryFn: async ({ signal }) => {
        const query = { per_page: 100 };
        const request = rest.GET('/sites/{site}/languages', { params: { ...params, query }, signal });
        const { data } = await pageOf(request);
        return [...data].sort((a, b) => Number(b.default) - Number(a.default) || a.name.localeCompare(b.name));
      },
    }),
    add,
    makeMain: ({ locale, name }: Language) => change({ default_locale: locale }, { text: strings.languageMain(name) }),
    async remove({ locale, name }: Language) {
      await rest.DELETE('/sites/{site}/languages/{locale}', { params: { path: { site, locale } } });
      await refresh();
      notify(strings.languageRemoved(name), { undo: () => void add({ locale, name }).catch(notifyProblem) });
    },
  };
}

/** The languages of a site, the main one first. */
export default function LanguagesPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const me = useMe();
  const mayManage = may(me, 'languages.manage', site) !== 'none';
  const maySetMain = may(me, 'settings.write', site) !== 'none';
  const record = useTaggedSite(site);
  const { languages, add, makeMain, remove } = useLanguageCalls(site);
  const [isAdding, setAdding] = useState(false);
  const open = useCallback(() => setAdding(true), []);
  const create = mayManage && (
    <CreateButton id="add-language" title={strings.addLanguage} group={strings.languages} onPress={open} />
  );
  return (
    <SettingsFrame lead={strings.languagesLead} actions={create}>
      <Loaded query={languages}>
        {(all) => (
          <ul className="rows settings-rows" aria-label={strings.languages}>
            {all.map((language) => (
              <li key={language.locale}>
                <div>
                  <strong>{language.name}</strong>{' '}
                  {language.default && <Badge tone="good">{strings.mainLanguage}</Badge>}
                  <small>{language.locale}</small>
                </div>
                {!language.default && (
                  <div className="buttons">
                    {maySetMain && (
                      <ActionButton
                        variant="quiet"
                        aria-label={strings.makeMainLanguageOf(language.name)}
                        isDisabled={!record.data}
                        run={() => makeMain(language)}
                      >
                        {strings.makeMain}
                      </ActionButton>
                    )}
                    {mayManage && (
                      <ActionButton
                        variant="quiet"
                        aria-label={strings.removeOf(language.name)}
                        run={() => remove(language)}
                      >
                        {strings.remove}
                      </ActionButton>
                    )}
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isAdding && (
        <DialogBox title={strings.addLanguage} onClose={() => setAdding(false)}>
          <CallForm
            send={({ locale = '', name }) => add({ locale: locale.trim(), ...(name && { name }) })}
            onDone={({ name }) => {
              setAdding(false);
              notify(strings.languageAdded(name));
            }}
            submit={strings.addLanguage}
            keepValues
          >
            <Field name="locale" label={strings.locale} description={strings.localeHint} isRequired autoFocus />
            <Field name="name" label={strings.languageName} description={strings.languageNameHint} maxLength={200} />
          </CallForm>
        </DialogBox>
      )}
    </SettingsFrame>
  );
}
