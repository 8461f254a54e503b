import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { agentsRecord } from '../../../features/agents/schema.ts';
import { callOwn } from '../../app/api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog-box.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Page } from '../../parts/page.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { Time } from '../../parts/time.tsx';
import { strings } from './strings.ts';

type Agents = z.output<typeof agentsRecord>;
type Agent = Agents['agents'][number];

const queryKey = ['agents'] as const;

const AgentFacts = ({ agent }: { agent: Agent }) => (
  <div>
    <strong>{agent.name}</strong>
    <small>
      {agent.scopes.join(', ')} · {agent.sites.map((site) => (site === '*' ? strings.everySite : site)).join(', ')}
    </small>
    <small>
      {agent.redirect_host} · {strings.connected} <Time at={agent.created_at} /> ·{' '}
      {agent.used_at === null ? (
        strings.neverUsed
      ) : (
        <>
          {strings.lastUsed} <Time at={agent.used_at} />
        </>
      )}
    </small>
  </div>
);

/** The agents that the person has connected. */
export default function AgentsPage() {
  const client = useQueryClient();
  const agents = useQuery({ queryKey, queryFn: ({ signal }) => callOwn<Agents>('GET', '/agents', undefined, signal) });
  const [revoking, setRevoking] = useState<Agent>();
  return (
    <Loaded query={agents}>
      {({ agents: all }) => (
        <Page title={strings.title} lead={strings.lead}>
          {all.length === 0 && <EmptyState title={strings.none} text={strings.noneText} />}
          <SecretText text={strings.endpoint} secret={`${location.origin}/mcp`} label={strings.copyEndpoint} />
          <ul className="rows" aria-label={strings.title}>
            {all.map((agent) => (
              <li key={agent.id}>
                <AgentFacts agent={agent} />
                <Button variant="quiet" aria-label={strings.revokeOf(agent.name)} onPress={() => setRevoking(agent)}>
                  {strings.revoke}
                </Button>
              </li>
            ))}
          </ul>
          {revoking && (
            <ConfirmDialog
              title={strings.revokeTitle(revoking.name)}
              text={strings.revokeText}
              confirm={strings.revokeConfirm}
              run={async () => {
                await callOwn('DELETE', `/agents/${revoking.id}`);
                await client.invalidateQueries({ queryKey });
                notify(strings.revokedNotice);
              }}
              onClose={() => setRevoking(undefined)}
            />
          )}
        </Page>
      )}
    </Loaded>
  );
}
