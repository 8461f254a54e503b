import { useNavigate, useParams } from '@tanstack/react-router';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadedRecord } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { type Script, useScriptCalls, useScripts } from './script-data.ts';
import { ScriptForm } from './script-form.tsx';
import { strings } from './strings.ts';

const ReadOnlyScript = ({ script: { position, src, code } }: { script: Script }) => (
  <>
    <Facts
      entries={[
        [strings.position, strings.positions[position]],
        [strings.src, src],
      ]}
    />
    {code !== null && <CodeBlock label={strings.code} text={code} />}
  </>
);

/** A script: its place and its source. Under the id `new` it is the form of a new one. */
export default function ScriptPage() {
  const { site, id } = useParams({ strict: false }) as { site: string; id: string };
  const mayWrite = may(useMe(), 'scripts.write', site) !== 'none';
  const navigate = useNavigate();
  const scripts = useScripts(site);
  const calls = useScriptCalls(site);
  const leave = () => void navigate({ to: `/sites/${site}/scripts`, ignoreBlocker: true });
  if (id === 'new' && mayWrite)
    return (
      <Page title={strings.create} lead={strings.noneText}>
        <div className="form-page">
          <ScriptForm send={calls.create} onDone={leave} />
        </div>
      </Page>
    );
  return (
    <LoadedRecord query={scripts} id={id}>
      {(script) => (
        <Page
          title={script.name}
          lead={strings.shortPositions[script.position]}
          actions={
            mayWrite && (
              <ActionButton variant="danger" run={() => calls.remove(script)} onDone={leave}>
                {strings.delete}
              </ActionButton>
            )
          }
        >
          <div className="form-page">
            {mayWrite ? (
              <ScriptForm script={script} send={(members) => calls.update(script, members)} onDone={leave} />
            ) : (
              <ReadOnlyScript script={script} />
            )}
          </div>
        </Page>
      )}
    </LoadedRecord>
  );
}
