import { useState } from 'react';
import { CallForm } from '../../parts/call-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import type { SectionProps } from './site-section.tsx';
import { accentOf, accents, changedSettings, textOf } from './starter-settings.ts';
import { strings } from './strings.ts';

const ignore = () => undefined;

/** The settings that the starter templates read, apart from the menu (docs/theming.md, The starter shell). */
export function StarterSection({ site, save }: SectionProps) {
  // what the form shows: the record has the changes of somebody else after a save over them
  const [settings, setSettings] = useState(site.settings);
  const [accent, setAccent] = useState(accentOf(settings));
  const send = async (values: Record<string, string>) => {
    const changes = changedSettings(settings, { ...values, accent });
    await save({ settings: changes });
    setSettings((before) => ({ ...before, ...changes }));
  };
  const text = (name: string) => ({ name, defaultValue: textOf(settings[name]) });
  return (
    <Section title={strings.starter} facts={strings.starterFact}>
      <CallForm send={send} onDone={ignore} submit={strings.save} variant="plain" keepValues>
        <Field {...text('tagline')} label={strings.tagline} description={strings.taglineHint} maxLength={500} />
        <Field
          {...text('description')}
          label={strings.description}
          description={strings.descriptionHint}
          lines={3}
          maxLength={2000}
        />
        <Field {...text('footer')} label={strings.footer} description={strings.footerHint} maxLength={500} />
        <div className="field">
          <span className="field-title">{strings.accent}</span>
          <span className="accent" data-accent={accent}>
            <Choice
              label={strings.accent}
              value={accent}
              options={accents.map((value) => ({ value, label: strings.accents[value] }))}
              onChange={setAccent}
            />
            <span aria-hidden className="accent-sample" />
          </span>
        </div>
        <Field
          {...text('posts_per_page')}
          label={strings.postsPerPage}
          description={strings.postsPerPageHint}
          type="number"
          inputMode="numeric"
          validate={(value) => (value === '' || /^(?:[1-9]\d?|100)$/.test(value) ? null : strings.postsPerPageHint)}
        />
      </CallForm>
    </Section>
  );
}
