import { CallForm } from '../../parts/call-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { useEdited } from '../../parts/use-edited.ts';
import type { SectionProps } from './site-section.tsx';
import { accentOf, accents, changedSettings, textMembers, textOf } from './starter-settings.ts';
import { strings } from './strings.ts';

const ignore = () => undefined;

/** The settings that the starter templates read, apart from the menu (docs/theming.md, The starter shell). */
export function StarterSection({ site: { settings }, save, unsaved }: SectionProps) {
  const stored = Object.fromEntries(textMembers.map((name) => [name, textOf(settings[name])]));
  const {
    value: values,
    edit,
    submit,
  } = useEdited<Record<string, string>>({ ...stored, accent: accentOf(settings) }, unsaved);
  const accent = accentOf(values);
  const send = () => submit(() => save({ settings: changedSettings(settings, values) }));
  const text = (name: (typeof textMembers)[number]) => ({
    name,
    value: values[name] ?? '',
    onChange: (next: string) => edit({ [name]: next }),
  });
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
              onChange={(next) => edit({ accent: next })}
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
