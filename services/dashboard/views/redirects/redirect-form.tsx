import { useState } from 'react';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { type Redirect, type Rule, statuses } from './redirect-data.ts';
import { strings } from './strings.ts';

/** The form of a redirect, new or stored. */
export function RedirectForm({
  redirect,
  send,
  onDone,
}: {
  redirect?: Redirect;
  send: (rule: Rule) => Promise<void>;
  onDone: () => void;
}) {
  const [status, setStatus] = useState(String(redirect?.status ?? statuses[0]));
  return (
    <CallForm
      send={({ from = '', to = '' }) =>
        send({ from: from.trim(), to: to.trim(), status: Number(status) as Rule['status'] })
      }
      onDone={onDone}
      submit={redirect ? strings.save : strings.create}
      keepValues
    >
      <Field
        name="from"
        label={strings.from}
        description={strings.fromHint}
        defaultValue={redirect?.from ?? ''}
        isRequired
        autoFocus
      />
      <Field name="to" label={strings.to} description={strings.toHint} defaultValue={redirect?.to ?? ''} isRequired />
      <SelectField
        label={strings.status}
        value={status}
        options={statuses.map((value) => [String(value), strings.statuses[value]] as const)}
        onChange={setStatus}
      />
    </CallForm>
  );
}
