import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { toProblem } from '../../app/problem.ts';
import { may, useMe } from '../../app/session.ts';
import { ConflictDialog } from '../../parts/conflict-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { type ComponentBody, type Stored, useComponentCalls, useStored } from './component-data.ts';
import { ComponentEditor } from './component-editor.tsx';
import sheet from './components.css?url';

/** A component: its source, style sheet and variables beside its preview. */
export default function ComponentPage() {
  const { site, handle } = useParams({ strict: false }) as { site: string; handle: string };
  const mayWrite = may(useMe(), 'components.write', site) !== 'none';
  const navigate = useNavigate();
  const record = useStored(site, handle);
  const calls = useComponentCalls(site);
  const dirty = useRef(() => false);
  const isDirty = () => dirty.current();
  const [refused, setRefused] = useState<{ stored: Stored; body: ComponentBody }>();
  const save = async (stored: Stored, body: ComponentBody) => {
    try {
      await calls.save(stored, body, isDirty);
    } catch (error) {
      if (toProblem(error).status !== 412) throw error;
      setRefused({ stored, body });
    }
  };
  return (
    <>
      <Sheet url={sheet} />
      <Loaded query={record}>
        {(stored) => (
          <ComponentEditor
            key={stored.version}
            site={site}
            stored={stored}
            dirty={dirty}
            {...(mayWrite && {
              save: (body: ComponentBody) => save(stored, body),
              remove: async () => {
                await calls.remove(handle);
                await navigate({ to: `/sites/${site}/components`, ignoreBlocker: true });
              },
            })}
          />
        )}
      </Loaded>
      {refused && (
        <ConflictDialog
          keepMine={() => calls.saveOver(refused.stored, refused.body, isDirty)}
          takeTheirs={() => calls.reload(handle)}
          onClose={() => setRefused(undefined)}
        />
      )}
    </>
  );
}
