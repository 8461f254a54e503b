import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { toProblem } from '../../app/problem.ts';
import { may, useMe } from '../../app/session.ts';
import { ConflictDialog } from '../../parts/conflict-dialog.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import type { Unsaved } from '../../parts/use-edited.ts';
import { DeleteSection } from './delete-section.tsx';
import { MenuSection } from './menu-section.tsx';
import { OtherSection } from './other-section.tsx';
import { ReadOnlySettings } from './read-only-settings.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { reloadSite, type SiteChange, useChangeSite, useTaggedSite } from './site-data.ts';
import { SiteSection } from './site-section.tsx';
import { StarterSection } from './starter-section.tsx';
import { strings } from './strings.ts';

/** The settings of a site, each section saved separately. If another user has changed the site meanwhile, it asks. */
export default function GeneralPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const me = useMe();
  const client = useQueryClient();
  const record = useTaggedSite(site);
  const change = useChangeSite(site);
  const [unsaved] = useState<Unsaved>(() => new Set());
  const isDirty = useCallback(() => unsaved.size > 0, [unsaved]);
  const [refused, setRefused] = useState<{ body: SiteChange; saved: () => void; cancel: () => void }>();
  const save = async (body: SiteChange) => {
    try {
      await change(body);
    } catch (error) {
      if (toProblem(error).status !== 412) throw error;
      // the form learns what the dialog decided
      await new Promise<void>((saved, reject) => setRefused({ body, saved, cancel: () => reject(error) }));
    }
  };
  return (
    <SettingsFrame lead={strings.lead}>
      <Loaded query={record}>
        {({ data, version }) =>
          may(me, 'settings.write', site) === 'none' ? (
            <ReadOnlySettings site={data} />
          ) : (
            <div key={version}>
              <SiteSection site={data} save={save} unsaved={unsaved} />
              <StarterSection site={data} save={save} unsaved={unsaved} />
              <MenuSection site={data} save={save} unsaved={unsaved} />
              <OtherSection site={data} save={save} unsaved={unsaved} />
              {may(me, 'sites.delete', site) !== 'none' && <DeleteSection site={data} />}
            </div>
          )
        }
      </Loaded>
      <LeaveGuard isDirty={isDirty} />
      {refused && (
        <ConflictDialog
          keepMine={() => change(refused.body, { isForced: true }).then(refused.saved)}
          takeTheirs={() => reloadSite(client, site)}
          onClose={() => {
            refused.cancel();
            setRefused(undefined);
          }}
        />
      )}
    </SettingsFrame>
  );
}
