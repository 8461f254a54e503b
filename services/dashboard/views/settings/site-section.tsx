import { CallForm } from '../../parts/call-form.tsx';
import { CheckboxField } from '../../parts/checkbox-field.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { type Unsaved, useEdited } from '../../parts/use-edited.ts';
import type { Site, SiteChange } from './site-data.ts';
import { strings } from './strings.ts';

export interface SectionProps {
  site: Site;
  save: (change: SiteChange) => Promise<void>;
  unsaved: Unsaved;
}

const ignore = () => undefined;

/** Shows the members of a site that cannot be changed. */
export const SiteFacts = ({ site: { slug, url, created_at } }: { site: Site }) => (
  <Facts
    entries={[
      [
        strings.url,
        <a key="url" href={url} target="_blank" rel="noreferrer">
          {url}
        </a>,
      ],
      [strings.slug, slug],
      [strings.created, <Time key="created" at={created_at} />],
    ]}
  />
);

/** The name of the site, and whether changes of its templates are published automatically. */
export function SiteSection({ site, save, unsaved }: SectionProps) {
  const named = useEdited({ name: site.name }, unsaved);
  const publishing = useEdited({ isAutomatic: site.settings['shell_autopublish'] === true }, unsaved);
  return (
    <>
      <Section title={strings.site}>
        <SiteFacts site={site} />
        <CallForm
          send={() => named.submit(() => save(named.value))}
          onDone={ignore}
          submit={strings.save}
          variant="plain"
          keepValues
        >
          <Field
            name="name"
            label={strings.name}
            value={named.value.name}
            onChange={(next) => named.edit({ name: next })}
            maxLength={500}
            isRequired
          />
        </CallForm>
      </Section>
      <Section title={strings.publishing}>
        <CallForm
          send={() => publishing.submit(() => save({ settings: { shell_autopublish: publishing.value.isAutomatic } }))}
          onDone={ignore}
          submit={strings.save}
          variant="plain"
          keepValues
        >
          <CheckboxField
            label={strings.autopublish}
            value={publishing.value.isAutomatic}
            onChange={(next) => publishing.edit({ isAutomatic: next })}
          />
          <p className="field-description">{strings.autopublishHint}</p>
        </CallForm>
      </Section>
    </>
  );
}
