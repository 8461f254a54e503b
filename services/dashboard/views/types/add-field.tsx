import { useState } from 'react';
import { CallForm } from '../../parts/call-form.tsx';
import { CheckboxField } from '../../parts/checkbox-field.tsx';
import { Field } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { canFilter, type FieldKind, type NewField } from './fields.ts';
import { strings } from './strings.ts';

/** The form of a field that is added to a type. */
export function AddField({ names, onAdd }: { names: readonly string[]; onAdd: (field: NewField) => void }) {
  const [kind, setKind] = useState<FieldKind>('text');
  const [isRequired, setRequired] = useState(false);
  const [isFilter, setFilter] = useState(false);
  const check = (name: string) => {
    if (name === '') return null;
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return strings.fieldNameHint;
    return names.includes(name) ? strings.fieldTaken : null;
  };
  const add = async ({ name = '', label, values = '' }: Record<string, string>) => {
    const lines = values.split('\n').map((line) => line.trim());
    onAdd({ name, kind, isRequired, isFilter, values: lines.filter((line) => line !== ''), ...(label && { label }) });
  };
  return (
    <CallForm send={add} onDone={() => undefined} submit={strings.add}>
      <Field
        name="name"
        label={strings.fieldName}
        description={strings.fieldNameHint}
        autoComplete="off"
        isRequired
        autoFocus
        validate={check}
      />
      <Field name="label" label={strings.fieldLabel} description={strings.fieldLabelHint} maxLength={200} />
      <SelectField
        label={strings.kind}
        value={kind}
        options={Object.entries(strings.kinds)}
        onChange={(next) => setKind(next as FieldKind)}
      />
      {kind === 'choice' && (
        <Field name="values" label={strings.values} description={strings.valuesHint} lines={4} isRequired />
      )}
      <CheckboxField label={strings.required} value={isRequired} onChange={setRequired} />
      {canFilter(kind) && <CheckboxField label={strings.filter} value={isFilter} onChange={setFilter} />}
    </CallForm>
  );
}
