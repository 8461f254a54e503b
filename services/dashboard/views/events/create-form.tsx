import { useState } from 'react';
import { dataOf, rest } from '../../app/api.ts';
import { Problem } from '../../app/problem.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import type { CreatedEndpoint, EventType } from './endpoint-data.ts';
import { strings } from './strings.ts';
import { TypeList } from './type-list.tsx';

/** The form of a new event endpoint. */
export function CreateForm({ site, onCreated }: { site: string; onCreated: (endpoint: CreatedEndpoint) => void }) {
  const [events, setEvents] = useState<EventType[]>(['site.published']);
  const send = async ({ url = '' }: Record<string, string>) => {
    if (events.length === 0) throw new Problem(strings.needType, { code: 'validation_failed', status: 422 });
    return dataOf(rest.POST('/sites/{site}/event-endpoints', { params: { path: { site } }, body: { url, events } }));
  };
  return (
    <CallForm send={send} onDone={onCreated} submit={strings.create} keepValues>
      <Field name="url" type="url" label={strings.url} description={strings.urlHint} isRequired autoFocus />
      <TypeList value={events} onChange={setEvents} />
    </CallForm>
  );
}
