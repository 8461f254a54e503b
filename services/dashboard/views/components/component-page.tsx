import { useNavigate, useParams } from '@tanstack/react-router';
import { may, useMe } from '../../app/session.ts';
import { EditedRecord } from '../../parts/edited-record.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { useComponentCalls } from './component-data.ts';
import { ComponentEditor } from './component-editor.tsx';
import sheet from './components.css?url';

/** A component: its source, style sheet and variables beside its preview. */
export default function ComponentPage() {
  const { site, handle } = useParams({ strict: false }) as { site: string; handle: string };
  const mayWrite = may(useMe(), 'components.write', site) !== 'none';
  const navigate = useNavigate();
  const calls = useComponentCalls(site);
  const remove = async () => {
    await calls.remove(handle);
    await navigate({ to: `/sites/${site}/components`, ignoreBlocker: true });
  };
  return (
    <>
      <Sheet url={sheet} />
      <EditedRecord access={calls.accessTo(handle)}>
        {({ record, dirty, save }) => (
          <ComponentEditor site={site} component={record} dirty={dirty} {...(mayWrite && { save, remove })} />
        )}
      </EditedRecord>
    </>
  );
}
