import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import Link2 from 'lucide-react/icons/link-2';
import Upload from 'lucide-react/icons/upload';
import { type DragEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { libraryKey } from '../../app/media.ts';
import { may, useMe } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { DescribeQueue } from './describe-queue.tsx';
import { ImportForm } from './import-form.tsx';
import { type Kind, useLibrary } from './library.ts';
import sheet from './media.css?url';
import { MediaGrid } from './media-grid.tsx';
import { strings } from './strings.ts';
import { TrashList } from './trash-list.tsx';
import { UploadForm } from './upload-form.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

const toOptions = <T extends string>(names: Record<T, string>) =>
  (Object.entries(names) as [T, string][]).map(([value, label]) => ({ value, label }));

const places = { library: strings.library, describe: strings.describe, trash: strings.trash };
type Place = keyof typeof places;
type Layout = keyof typeof strings.layouts;

/** The media library of a site and its trash. Files that are dropped on the page are uploaded. */
export default function MediaPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const canWrite = may(useMe(), 'media.write', site) !== 'none';
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: libraryKey(site) });
  const uploads = useUploads(site, () => void refresh());
  const [place, setPlace] = useState<Place>('library');
  const [kind, setKind] = useState<Kind | 'all'>('all');
  const [layout, setLayout] = useState<Layout>('grid');
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<'import' | File[]>();
  const close = () => setOpened(undefined);
  const choose = (files: FileList | null) => {
    if (files && files.length > 0) setOpened([...files]);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    if (canWrite) choose(event.dataTransfer.files);
  };
  const actions = canWrite && (
    <>
      <FileTrigger allowsMultiple onSelect={choose}>
        <Button variant="primary">
          <Upload aria-hidden size={16} />
          {strings.upload}
        </Button>
      </FileTrigger>
      <Button onPress={() => setOpened('import')}>
        <Link2 aria-hidden size={16} />
        {strings.importUrl}
      </Button>
    </>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop files on; the button does the same by keyboard
    <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <Sheet url={sheet} />
      <Page title={strings.title} lead={strings.lead} actions={actions}>
        {uploads.uploads.length > 0 && (
          <UploadList
            uploads={uploads.uploads}
            onRetry={uploads.retry}
            onCancel={uploads.cancel}
            onClear={uploads.clear}
          />
        )}
        <div className="filters">
          <Choice
            label={strings.show}
            value={place}
            options={toOptions(places).filter(({ value }) => canWrite || value !== 'describe')}
            onChange={(value) => {
              setPlace(value);
              setPage(1);
            }}
          />
          {place === 'library' && (
            <>
              <Choice
                label={strings.kind}
                value={kind}
                options={toOptions(strings.kinds)}
                onChange={(value) => {
                  setKind(value);
                  setPage(1);
                }}
              />
              <Choice label={strings.layout} value={layout} options={toOptions(strings.layouts)} onChange={setLayout} />
            </>
          )}
        </div>
        <Loaded query={useLibrary(site, place, place === 'library' ? kind : 'all', page)}>
          {({ data, pagination }) => (
            <>
              {place === 'library' && data.length > 0 && <MediaGrid site={site} items={data} layout={layout} />}
              {place === 'library' && data.length === 0 && kind === 'all' && (
                <EmptyState title={strings.empty} text={strings.emptyText} />
              )}
              {place === 'library' && data.length === 0 && kind !== 'all' && <p>{strings.noneOfKind}</p>}
              {place === 'describe' && (
                <DescribeQueue
                  site={site}
                  items={data}
                  total={pagination.total}
                  nextPage={pagination.page < pagination.total_pages ? pagination.page + 1 : undefined}
                  onPage={setPage}
                  onChange={refresh}
                />
              )}
              {place === 'trash' && <TrashList site={site} items={data} canWrite={canWrite} onChange={refresh} />}
              {place !== 'describe' && <Pager pagination={pagination} onChange={setPage} />}
            </>
          )}
        </Loaded>
        {opened === 'import' && (
          <DialogBox title={strings.importUrl} onClose={close}>
            <ImportForm
              site={site}
              onImported={async () => {
                await refresh();
                close();
                notify(strings.imported);
              }}
            />
          </DialogBox>
        )}
        {Array.isArray(opened) && (
          <DialogBox title={strings.uploadTitle} onClose={close} mustBeClosed>
            <UploadForm
              files={opened}
              onStart={(files) => {
                uploads.add(files);
                close();
              }}
            />
          </DialogBox>
        )}
      </Page>
    </div>
  );
}
