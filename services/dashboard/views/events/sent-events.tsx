import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf, rest } from '../../app/api.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify } from '../../parts/notify.ts';
import { Pager } from '../../parts/pager.tsx';
import { Time } from '../../parts/time.tsx';
import { type Endpoint, eventsKey, isUnderWay, pollMs, type SiteEvent } from './endpoint-data.ts';
import { strings } from './strings.ts';

function EventStatus({ event: { status, next_attempt_at } }: { event: SiteEvent }) {
  if (status === 'failed' && next_attempt_at !== null) return <Badge tone="warn">{strings.statuses.retrying}</Badge>;
  const tone = status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'plain';
  return <Badge tone={tone}>{strings.statuses[status]}</Badge>;
}

/** Every attempt to send an event, and what is sent. */
function EventDetails({ event: { log, payload } }: { event: SiteEvent }) {
  return (
    <div className="row-details">
      <h3>{strings.attempts}</h3>
      {log.length === 0 && <p>{strings.noAttempts}</p>}
      <ol className="plain-list">
        {log.map(({ at, status, duration_ms, error }) => (
          <li key={`${at} ${duration_ms}`}>
            <Time at={at} />: {strings.attempt(status, duration_ms)}
            {error !== null && <small>{error}</small>}
          </li>
        ))}
      </ol>
      {payload === null ? (
        <p>{strings.payloadGone}</p>
      ) : (
        <CodeBlock label={strings.payload} text={JSON.stringify(payload, null, 2)} />
      )}
    </div>
  );
}

function EventRow({ site, event, canManage }: { site: string; event: SiteEvent; canManage: boolean }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { id, endpoint, type, created_at, next_attempt_at, payload } = event;
  const replay = async () => {
    await rest.POST('/sites/{site}/events/{id}/replay', { params: { path: { site, id } } });
    await client.invalidateQueries({ queryKey: eventsKey(site, endpoint) });
    notify(strings.replayed);
  };
  return (
    <li>
      <div>
        <strong>{type}</strong> <EventStatus event={event} />
        <small>
          <Time at={created_at} />
          {next_attempt_at !== null && (
            <>
              {' · '}
              {strings.nextAttempt} <Time at={next_attempt_at} />
            </>
          )}
        </small>
        {isOpen && <EventDetails event={event} />}
      </div>
      <div className="buttons">
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-label={isOpen ? strings.hideOf(type) : strings.showOf(type)}
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? strings.hide : strings.show}
        </Button>
        {canManage && payload !== null && (
          <ActionButton variant="quiet" run={replay}>
            {strings.replay}
          </ActionButton>
        )}
      </div>
    </li>
  );
}

/** The events of an endpoint, newest first; read again while one is under way. */
export function SentEvents({
  site,
  endpoint: { id },
  canManage,
}: {
  site: string;
  endpoint: Endpoint;
  canManage: boolean;
}) {
  const [page, setPage] = useState(1);
  const events = useQuery({
    queryKey: [...eventsKey(site, id), page],
    queryFn: ({ signal }) =>
      pageOf(
        rest.GET('/sites/{site}/events', {
          params: { path: { site }, query: { endpoint: id, page, per_page: 20 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? pollMs : false),
  });
  return (
    <Loaded query={events}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <p>{strings.noEvents}</p>
        ) : (
          <>
            <ul className="rows" aria-label={strings.sent}>
              {data.map((event) => (
                <EventRow key={event.id} site={site} event={event} canManage={canManage} />
              ))}
            </ul>
            <Pager pagination={pagination} onChange={setPage} />
          </>
        )
      }
    </Loaded>
  );
}
