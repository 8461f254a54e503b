import { useState } from 'react';
import { describeTime } from '../../../app/format.ts';
import { may, useMe } from '../../../app/session.ts';
import { Field } from '../../../parts/field.tsx';
import { SelectField } from '../../../parts/select-field.tsx';
import type { Status } from '../content-view.ts';
import { strings as contentStrings } from '../strings.ts';
import type { PanelProps } from './panels.tsx';
import { strings } from './strings.ts';
import { fromLocal, ownTimeZone, timeZones, toLocal } from './time-zone.ts';

const statuses: readonly Status[] = ['draft', 'scheduled', 'published', 'archived'];

/** The status of an item, and the time at which it becomes published. */
export function PublishingPanel({ site, values, change }: PanelProps) {
  const mayPublish = may(useMe(), 'publish', site) !== 'none';
  const [zone, setZone] = useState(ownTimeZone);
  const { status, scheduled_at: at, published_at: publishedAt } = values;
  const schedule = (local: string) => {
    if (local === '') change({ scheduled_at: null, ...(status === 'scheduled' ? { status: 'draft' } : {}) });
    else change({ scheduled_at: fromLocal(local, zone) });
  };
  // a scheduled item needs a time, so the status follows from the time and from the buttons
  const offered = statuses.filter(
    (each) =>
      each === status || (each === 'scheduled' ? mayPublish && at !== null : mayPublish || each !== 'published'),
  );
  return (
    <>
      <SelectField
        label={contentStrings.status}
        value={status}
        options={offered.map((each) => [each, contentStrings.statuses[each]] as const)}
        onChange={(next) => change({ status: next as Status })}
      />
      {mayPublish && status !== 'published' && (
        <>
          <Field
            label={strings.scheduleAt}
            type="datetime-local"
            value={at === null ? '' : toLocal(at, zone)}
            onChange={schedule}
          />
          <SelectField
            label={strings.timeZone}
            value={zone}
            options={timeZones().map((name) => [name, name.replace(/_/g, ' ')] as const)}
            onChange={setZone}
          />
        </>
      )}
      {publishedAt !== null && (
        <p className="field-description">
          {strings.publishedAt} {describeTime(publishedAt)}
        </p>
      )}
    </>
  );
}
