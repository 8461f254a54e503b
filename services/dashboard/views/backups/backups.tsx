import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';
import type { backupsRecord, resultRecord } from '../../../features/backups/schema.ts';
import { callOwn } from '../../app/api.ts';
import { describeBytes, describeTime } from '../../app/format.ts';
import { useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { strings } from './strings.ts';

type Backups = z.output<typeof backupsRecord>;
type Backup = NonNullable<Backups['backups']>[number];
type Result = z.output<typeof resultRecord>;

/** Shows what an operation has done, or that it continues. */
const tell = ({ running }: Result, done: string) => notify(running ? strings.running : done);

const storeOf = ({ store, place }: Backups['schedule']) =>
  place === null ? strings.stores[store] : `${place} (${strings.stores[store]})`;

function BackupRow({ backup, base, onRestore }: { backup: Backup; base: string; onRestore?: () => void }) {
  const at = describeTime(backup.created_at);
  return (
    <li>
      <div>
        <strong>{at}</strong>
        <small>{strings.size(backup.blobs, describeBytes(backup.bytes))}</small>
      </div>
      <div className="buttons">
        <ActionButton
          variant="quiet"
          aria-label={strings.verifyOf(at)}
          run={() => callOwn<Result>('POST', `${base}/${backup.id}/verify`)}
          onDone={(result) => tell(result, strings.verified)}
        >
          {strings.verify}
        </ActionButton>
        {onRestore && (
          <Button variant="quiet" aria-label={strings.restoreOf(at)} onPress={onRestore}>
            {strings.restore}
          </Button>
        )}
      </div>
    </li>
  );
}

function RestoreDialog({ backup, base, onClose }: { backup: Backup; base: string; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <DialogBox title={strings.restoreTitle} onClose={onClose}>
      <CallForm
        send={({ as = '' }) => callOwn<Result>('POST', `${base}/${backup.id}/restore`, { as })}
        submit={strings.restoreSubmit}
        onDone={async (result, { as = '' }) => {
          onClose();
          tell(result, strings.restored(as));
          await client.invalidateQueries({ queryKey: ['sites'] });
        }}
      >
        <p>{strings.restoreText}</p>
        <Field name="as" label={strings.slug} isRequired autoFocus />
      </CallForm>
    </DialogBox>
  );
}

/** The backups of the site, for owners. Administrators can restore one as a new site. */
export default function BackupsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const me = useMe();
  const base = `/sites/${site}/backups`;
  const client = useQueryClient();
  const queryKey = ['backups', site];
  const backups = useQuery({ queryKey, queryFn: ({ signal }) => callOwn<Backups>('GET', base, undefined, signal) });
  const [restoring, setRestoring] = useState<Backup>();
  const create = (
    <ActionButton
      variant="primary"
      run={() => callOwn<Result>('POST', base)}
      onDone={(result) => {
        tell(result, strings.created);
        void client.invalidateQueries({ queryKey });
      }}
    >
      {strings.create}
    </ActionButton>
  );
  return (
    <Loaded query={backups}>
      {({ backups: all, schedule }) => (
        <Page title={strings.title} lead={strings.lead} actions={create}>
          <Facts
            entries={[
              [strings.lastTitle, all?.[0] ? <Time key="last" at={all[0].created_at} /> : strings.never],
              [strings.scheduleTitle, strings.schedule(schedule.every_hours, schedule.keep)],
              [strings.storeTitle, storeOf(schedule)],
            ]}
          />
          {all === null && <p>{strings.tooSlow}</p>}
          {all?.length === 0 && <EmptyState title={strings.none} text={strings.noneText} />}
          <ul className="rows" aria-label={strings.title}>
            {all?.map((backup) => (
              <BackupRow
                key={backup.id}
                backup={backup}
                base={base}
                {...(me.administrator ? { onRestore: () => setRestoring(backup) } : {})}
              />
            ))}
          </ul>
          {restoring && <RestoreDialog backup={restoring} base={base} onClose={() => setRestoring(undefined)} />}
        </Page>
      )}
    </Loaded>
  );
}
