import { CodeBlock } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/page.tsx';
import type { Site } from './site-data.ts';
import { SiteFacts } from './site-section.tsx';
import { strings } from './strings.ts';

/** The settings for people who cannot change them. */
export const ReadOnlySettings = ({ site }: { site: Site }) => (
  <div>
    <Section title={strings.site}>
      <Facts entries={[[strings.name, site.name]]} />
      <SiteFacts site={site} />
    </Section>
    <Section title={strings.title}>
      {Object.keys(site.settings).length === 0 ? (
        <p>{strings.none}</p>
      ) : (
        <CodeBlock label={strings.json} text={JSON.stringify(site.settings, null, 2)} />
      )}
    </Section>
  </div>
);
