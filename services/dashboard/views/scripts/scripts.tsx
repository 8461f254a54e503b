import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useScriptCalls, useScripts } from './script-data.ts';
import { strings } from './strings.ts';

/** The scripts of a site, in the order in which they run. */
export default function ScriptsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const mayWrite = may(useMe(), 'scripts.write', site) !== 'none';
  const navigate = useNavigate();
  const scripts = useScripts(site);
  const { remove } = useScriptCalls(site);
  const openNew = useCallback(() => void navigate({ to: `/sites/${site}/scripts/new` }), [navigate, site]);
  const create = mayWrite && (
    <CreateButton id="create-script" title={strings.create} group={strings.title} onPress={openNew} />
  );
  return (
    <Page title={strings.title} lead={strings.lead} actions={create}>
      <Loaded query={scripts}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={strings.none} text={strings.noneText} />
          ) : (
            <ol className="rows" aria-label={strings.title}>
              {all.map((script) => (
                <li key={script.id}>
                  <div>
                    <Link to={`/sites/${site}/scripts/${script.id}`}>
                      <strong>{script.name}</strong>
                    </Link>{' '}
                    <Badge>{strings.shortPositions[script.position]}</Badge>
                    <small>{script.src ?? strings.inline(script.code!.trimEnd().split('\n').length)}</small>
                  </div>
                  {mayWrite && (
                    <div className="buttons">
                      <ActionButton
                        variant="quiet"
                        aria-label={strings.deleteOf(script.name)}
                        run={() => remove(script)}
                      >
                        {strings.delete}
                      </ActionButton>
                    </div>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Page>
  );
}
