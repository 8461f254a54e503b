import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { z } from 'zod';
import type { sessionsRecord } from '../../../features/people/schema.ts';
import { callOwn } from '../../app/api.ts';
import { forgetSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Time } from '../../parts/time.tsx';
import { strings } from './strings.ts';
import { describeProgram } from './user-agent.ts';

type SessionsRecord = z.output<typeof sessionsRecord>;

const key = ['sessions'] as const;

/** The person's sessions, each of which can be ended, or all at once. */
export function Sessions() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const sessions = useQuery({ queryKey: key, queryFn: () => callOwn<SessionsRecord>('GET', '/sessions') });
  const end = useMutation({
    mutationFn: (id: string) => callOwn('DELETE', `/sessions/${id}`),
    onError: notifyProblem,
    async onSuccess() {
      await client.invalidateQueries({ queryKey: key });
      notify(strings.sessionEnded);
    },
  });
  const endAll = useMutation({
    mutationFn: () => callOwn('DELETE', '/sessions'),
    onError: notifyProblem,
    async onSuccess() {
      await forgetSession(client);
      await navigate({ to: '/' });
    },
  });
  if (sessions.isPending) return <Pending />;
  if (sessions.error) return <ProblemView error={sessions.error} onRetry={() => void sessions.refetch()} />;
  return (
    <>
      <ul className="rows">
        {sessions.data.sessions.map(({ id, current, address, user_agent, seen_at }) => (
          <li key={id}>
            <div>
              <strong>{describeProgram(user_agent) ?? strings.unknownProgram}</strong>
              <small>
                {current ? strings.thisSession : address} · {strings.lastUsed} <Time at={seen_at} />
              </small>
            </div>
            {!current && (
              <Button
                variant="quiet"
                aria-label={strings.endSession(address)}
                isPending={end.isPending && end.variables === id}
                onPress={() => end.mutate(id)}
              >
                {strings.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button variant="danger" isPending={endAll.isPending} onPress={() => endAll.mutate()}>
        {strings.signOutEverywhere}
      </Button>
    </>
  );
}
