import { useQuery, useQueryClient } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import type { z } from 'zod';
import type { teamRecord, teamsRecord } from '../../../features/people/schema.ts';
import { callOwn } from '../../app/api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog, DialogBox } from '../../parts/dialog-box.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { strings } from './strings.ts';
import { TeamForm } from './team-form.tsx';
import { TeamMembers } from './team-members.tsx';

export type Team = z.output<typeof teamRecord>;
type TeamsRecord = z.output<typeof teamsRecord>;

const queryKey = ['teams'] as const;

/** What the dialog is about. `slug`: the team is read from the list, so that the dialog shows its present members. */
type Opened = { kind: 'create' } | { kind: 'edit' | 'delete'; slug: string };

function describeTeam({ role, sites }: Team): string {
  if (role === null) return strings.noTeamRole;
  const names = sites.map((site) => (site === '*' ? strings.everySite.toLowerCase() : site));
  return strings.gives(role, names.length === 0 ? strings.noSites : names.join(', '));
}

/** The teams of the installation. */
export function Teams() {
  const client = useQueryClient();
  const teams = useQuery({
    queryKey,
    queryFn: ({ signal }) => callOwn<TeamsRecord>('GET', '/teams', undefined, signal),
  });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const refresh = async () => {
    await client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: ['users'] });
  };
  const find = (all: Team[]) =>
    opened && opened.kind !== 'create' ? all.find(({ slug }) => slug === opened.slug) : undefined;
  return (
    <Loaded query={teams}>
      {({ teams: all }) => {
        const team = find(all);
        return (
          <>
            {all.length === 0 && <p>{strings.noTeams}</p>}
            {all.length > 0 && (
              <ul className="rows" aria-label={strings.teams}>
                {all.map((one) => (
                  <li key={one.slug}>
                    <div>
                      <strong>{one.name}</strong>
                      <small>{describeTeam(one)}</small>
                      <small>{one.members.length === 0 ? strings.noMembers : one.members.join(', ')}</small>
                    </div>
                    <div className="buttons">
                      <Button
                        variant="quiet"
                        aria-label={strings.editTeamOf(one.name)}
                        onPress={() => setOpened({ kind: 'edit', slug: one.slug })}
                      >
                        {strings.editTeam}
                      </Button>
                      <Button
                        variant="quiet"
                        aria-label={strings.deleteTeamOf(one.name)}
                        onPress={() => setOpened({ kind: 'delete', slug: one.slug })}
                      >
                        {strings.deleteTeam}
                      </Button>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <Button onPress={() => setOpened({ kind: 'create' })}>
              <Plus aria-hidden size={16} />
              {strings.createTeam}
            </Button>
            {opened?.kind === 'create' && (
              <DialogBox title={strings.createTeam} onClose={close}>
                <TeamForm
                  onSaved={async ({ slug }) => {
                    await refresh();
                    setOpened({ kind: 'edit', slug });
                    notify(strings.teamCreated);
                  }}
                />
              </DialogBox>
            )}
            {team && opened?.kind === 'edit' && (
              <DialogBox title={strings.editTitle(team.name)} onClose={close}>
                <TeamForm
                  team={team}
                  onSaved={async () => {
                    await refresh();
                    notify(strings.saved);
                  }}
                />
                <TeamMembers team={team} onChange={refresh} />
              </DialogBox>
            )}
            {team && opened?.kind === 'delete' && (
              <ConfirmDialog
                title={strings.deleteTitle(team.name)}
                text={strings.deleteText}
                confirm={strings.deleteConfirm}
                run={async () => {
                  await callOwn('DELETE', `/teams/${team.slug}`);
                  notify(strings.teamDeleted);
                  await refresh();
                }}
                onClose={close}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
