import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { SubNavigation } from '../../parts/sub-navigation.tsx';
import sheet from './settings.css?url';
import { strings } from './strings.ts';

/** A page of the settings, with the links to the others. */
export function SettingsFrame({ lead, actions, children }: { lead: string; actions?: ReactNode; children: ReactNode }) {
  const { site } = useParams({ strict: false }) as { site: string };
  const base = `/sites/${site}/settings`;
  return (
    <Page title={strings.title} lead={lead} actions={actions}>
      <Sheet url={sheet} />
      <SubNavigation
        label={strings.pages}
        pages={[
          { to: base, title: strings.general },
          { to: `${base}/domains`, title: strings.domains },
          { to: `${base}/languages`, title: strings.languages },
        ]}
      />
      {children}
    </Page>
  );
}
