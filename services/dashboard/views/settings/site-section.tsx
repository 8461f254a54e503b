import { useState } from 'react';
import { CallForm } from '../../parts/call-form.tsx';
import { CheckboxField } from '../../parts/checkbox-field.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import type { Site, SiteChange } from './site-data.ts';
import { strings } from './strings.ts';

export interface SectionProps {
  site: Site;
  save: (change: SiteChange) => Promise<void>;
}

const ignore = () => undefined;

/** What cannot be changed about a site. */
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

/** The name of the site, and whether changes of its templates are published by themselves. */
export function SiteSection({ site, save }: SectionProps) {
  const [isAutomatic, setAutomatic] = useState(site.settings['shell_autopublish'] === true);
  return (
    <>
      <Section title={strings.site}>
        <SiteFacts site={site} />
        <CallForm
          send={({ name = '' }) => save({ name })}
          onDone={ignore}
          submit={strings.save}
          variant="plain"
          keepValues
        >
          <Field name="name" label={strings.name} defaultValue={site.name} maxLength={500} isRequired />
        </CallForm>
      </Section>
      <Section title={strings.publishing}>
        <CallForm
          send={() => save({ settings: { shell_autopublish: isAutomatic } })}
          onDone={ignore}
          submit={strings.save}
          variant="plain"
          keepValues
        >
          <CheckboxField label={strings.autopublish} value={isAutomatic} onChange={setAutomatic} />
          <p className="field-description">{strings.autopublishHint}</p>
        </CallForm>
      </Section>
    </>
  );
}
