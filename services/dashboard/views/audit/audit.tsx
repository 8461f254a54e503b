import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { z } from 'zod';
import type { components } from '../../../client/schema.ts';
import type { membersRecord } from '../../../features/people/schema.ts';
import { callOwn, pageOf, rest } from '../../app/api.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { Time } from '../../parts/time.tsx';
import { describeOperation, startOfDay } from './describe.ts';
import { strings } from './strings.ts';

type Change = components['schemas']['AuditEntry'];
type Members = z.output<typeof membersRecord>;

/** The filters as the fields hold them: days without time, the last one included. */
interface Filters {
  actor: string;
  operation: string;
  since: string;
  until: string;
}
const noFilters: Filters = { actor: '', operation: '', since: '', until: '' };

const toQuery = ({ actor, operation, since, until }: Filters) => ({
  ...(actor === '' ? {} : { actor }),
  ...(operation === '' ? {} : { operation }),
  ...(since === '' ? {} : { since: startOfDay(since) }),
  ...(until === '' ? {} : { until: startOfDay(until, 1) }),
});

/** By whom and through what, in words. */
function describeActor({ user, key, agent, integration }: Change): string {
  const through = [
    key && strings.viaKey(key.name ?? key.id),
    agent && strings.viaAgent(agent.name ?? agent.id),
    integration && strings.viaIntegration(integration.slug ?? integration.id),
  ].filter((part) => part !== null);
  return [user?.email ?? (through.length === 0 ? strings.service : null), ...through]
    .filter((part) => part !== null)
    .join(' · ');
}

const ChangeRow = ({ change }: { change: Change }) => (
  <li>
    <div>
      <strong>{describeOperation(change.operation)}</strong> {change.target?.name ?? change.target?.id}
      <small>{describeActor(change)}</small>
    </div>
    <small title={change.request_id === null ? undefined : strings.request(change.request_id)}>
      <Time at={change.created_at} />
    </small>
  </li>
);

/** The audit log of a site, for owners. */
export default function AuditPage() {
  const { site } = useParams({ strict: false }) as { site: string };
  const [filters, setFilters] = useState(noFilters);
  const [page, setPage] = useState(1);
  const applied = useDeferredValue(filters);
  const members = useQuery({
    queryKey: ['sites', site, 'members'],
    queryFn: ({ signal }) => callOwn<Members>('GET', `/sites/${site}/members`, undefined, signal),
  });
  const changes = useQuery({
    queryKey: ['sites', site, 'audit', applied, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      pageOf(
        rest.GET('/sites/{site}/audit', {
          params: { path: { site }, query: { ...toQuery(applied), page, per_page: 50 } },
          signal,
        }),
      ),
  });
  const set = (changed: Partial<Filters>) => {
    setFilters({ ...filters, ...changed });
    setPage(1);
  };
  const people = members.data?.members.map(({ user_id, email }) => [user_id, email] as const) ?? [];
  return (
    <Page title={strings.title} lead={strings.lead}>
      <search className="filters">
        <SelectField
          label={strings.person}
          value={filters.actor}
          options={[['', strings.anyone], ...people]}
          onChange={(actor) => set({ actor })}
        />
        <Field
          label={strings.operation}
          placeholder={strings.operationHint}
          value={filters.operation}
          onChange={(operation) => set({ operation })}
        />
        <Field label={strings.since} type="date" value={filters.since} onChange={(since) => set({ since })} />
        <Field label={strings.until} type="date" value={filters.until} onChange={(until) => set({ until })} />
        {Object.values(filters).some(Boolean) && <Button onPress={() => set(noFilters)}>{strings.clear}</Button>}
      </search>
      <Loaded query={changes}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState title={strings.nothing} text={strings.nothingText} />
          ) : (
            <>
              <ul className="rows" aria-label={strings.title}>
                {data.map((change) => (
                  <ChangeRow key={change.id} change={change} />
                ))}
              </ul>
              <Pager pagination={pagination} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
