import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Problem, toProblem } from '../../app/problem.ts';
import { may, useMe } from '../../app/session.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { HostRow } from './host-row.tsx';
import { addHost, hostsOf, promoteHost, removeHost } from './hosts.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { type Site, useChangeSite, useTaggedSite } from './site-data.ts';
import { strings } from './strings.ts';

/** How often hosts that wait for their DNS record are read again, in milliseconds. */
const pollMs = 3_000;
const hasWaiting = (site: Site): boolean => hostsOf(site).some(({ record }) => record !== undefined);

/** Shows what is wrong with the new host at its field, wherever the service names it. */
function atHostField(error: unknown): never {
  const problem = toProblem(error);
  const isHost =
    problem.code === 'domain_taken' || problem.details.some(({ path }) => /^(?:domain|aliases)/.test(path));
  if (!isHost) throw problem;
  const message = problem.details[0]?.message ?? problem.message;
  throw new Problem(problem.message, {
    code: problem.code,
    status: problem.status,
    details: [{ path: 'host', message }],
  });
}

/** The host names of a site. */
export default function DomainsPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const mayChange = may(useMe(), 'settings.write', site) !== 'none';
  const record = useTaggedSite(site, (read) => (hasWaiting(read) ? pollMs : false));
  const change = useChangeSite(site, { reloadsOnConflict: true });
  const [isAdding, setAdding] = useState(false);
  const open = useCallback(() => setAdding(true), []);
  const add = mayChange && (
    <CreateButton id="add-domain" title={strings.addDomain} group={strings.domains} onPress={open} />
  );
  return (
    <SettingsFrame lead={strings.domainsLead} actions={add}>
      <Loaded query={record}>
        {({ data }) => {
          const hosts = hostsOf(data);
          return (
            <>
              {hosts.length === 0 ? (
                <EmptyState title={strings.noDomains} text={strings.noDomainsText(data.url)} />
              ) : (
                <ul className="rows settings-rows" aria-label={strings.domains}>
                  {hosts.map((host) => (
                    <HostRow
                      key={host.name}
                      host={host}
                      {...(mayChange && {
                        onPromote: () =>
                          change(promoteHost(data, host.name), { text: strings.domainPromoted(host.name) }),
                        onRemove: () => change(removeHost(data, host.name), { text: strings.domainRemoved(host.name) }),
                        // setting the same hosts again makes the worker look for their records at once
                        onCheck: () =>
                          change(
                            { domain: data.domain, aliases: data.aliases },
                            { text: strings.checking, canUndo: false },
                          ),
                      })}
                    />
                  ))}
                </ul>
              )}
              {isAdding && (
                <DialogBox title={strings.addDomain} onClose={() => setAdding(false)}>
                  <CallForm
                    send={({ host = '' }) =>
                      change(addHost(data, host.trim()), { text: strings.domainAdded(host.trim()) }).catch(atHostField)
                    }
                    onDone={() => setAdding(false)}
                    submit={strings.addDomain}
                    keepValues
                  >
                    <Field name="host" label={strings.host} description={strings.hostHint} isRequired autoFocus />
                  </CallForm>
                </DialogBox>
              )}
            </>
          );
        }}
      </Loaded>
    </SettingsFrame>
  );
}
