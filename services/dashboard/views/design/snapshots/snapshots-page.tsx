import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import Camera from 'lucide-react/icons/camera';
import { useCallback, useState } from 'react';
import { dataOf, pageOf, rest } from '../../../app/api.ts';
import { describeTime } from '../../../app/format.ts';
import { may, useMe } from '../../../app/session.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { Button, LinkButton } from '../../../parts/button.tsx';
import { CreateButton } from '../../../parts/create-button.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { notify, notifyProblem } from '../../../parts/notify.ts';
import { Page } from '../../../parts/page.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { Sheet } from '../../../parts/sheet.tsx';
import { Time } from '../../../parts/time.tsx';
import sheet from '../design.css?url';
import { refreshShell } from '../files.ts';
import { strings } from '../strings.ts';
import { Differences } from './differences.tsx';

interface Snapshot {
  rev: string;
  files: number;
  created_at: string;
}

const restore = (site: string, rev: string) =>
  dataOf(rest.POST('/sites/{site}/shell/restore/{rev}', { params: { path: { site, rev } } }));

function SnapshotRow({ site, snapshot, mayWrite }: { site: string; snapshot: Snapshot; mayWrite: boolean }) {
  const { rev, files, created_at: at } = snapshot;
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const refresh = () => refreshShell(client, site);
  const onRestored = async ({ snapshot: before }: { snapshot: string }) => {
    await refresh();
    notify(strings.restored, { undo: () => void restore(site, before).then(refresh, notifyProblem) });
  };
  return (
    <li className="snapshot">
      <div className="snapshot-line">
        <div>
          <strong>
            <Time at={at} />
          </strong>
          <small>{strings.snapshotFiles(files)}</small>
        </div>
        <div className="buttons">
          <Button variant="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? strings.hideDifference : strings.compare}
          </Button>
          {mayWrite && (
            <ActionButton
              aria-label={strings.restoreSnapshot(describeTime(at))}
              run={() => restore(site, rev)}
              onDone={(result) => void onRestored(result)}
            >
              {strings.restore}
            </ActionButton>
          )}
        </div>
      </div>
      {isOpen && <Differences site={site} rev={rev} />}
    </li>
  );
}

/** The snapshots of the shell: they are compared with the present, and restored. */
export default function SnapshotsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const mayWrite = may(useMe(), 'shell.write', site) !== 'none';
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const snapshots = useQuery({
    queryKey: ['shell', site, 'snapshots', page],
    queryFn: ({ signal }) =>
      pageOf(rest.GET('/sites/{site}/shell/snapshots', { params: { path: { site }, query: { page } }, signal })),
  });
  const take = useCallback(() => {
    rest.POST('/sites/{site}/shell/snapshot', { params: { path: { site } } }).then(async () => {
      await refreshShell(client, site);
      notify(strings.snapshotTaken);
    }, notifyProblem);
  }, [client, site]);
  const actions = (
    <>
      <LinkButton to={`/sites/${site}/design`}>{strings.backToFiles}</LinkButton>
      {mayWrite && (
        <CreateButton
          id="take-snapshot"
          title={strings.takeSnapshot}
          group={strings.group}
          icon={Camera}
          onPress={take}
        />
      )}
    </>
  );
  return (
    <Page title={strings.snapshots} lead={strings.snapshotsLead} actions={actions}>
      <Sheet url={sheet} />
      <Loaded query={snapshots}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title={strings.noSnapshots} text={strings.noSnapshotsText} />
          ) : (
            <>
              <ul className="rows" aria-label={strings.snapshots}>
                {data.map((snapshot) => (
                  <SnapshotRow key={snapshot.rev} site={site} snapshot={snapshot} mayWrite={mayWrite} />
                ))}
              </ul>
              <Pager pagination={pagination} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
