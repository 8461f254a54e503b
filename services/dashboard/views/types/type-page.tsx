import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, useCallback, useMemo, useState } from 'react';
import { useCommands } from '../../app/commands.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { codeFaultsOf, readJsonObject } from '../../parts/code-faults.ts';
import { CodeField } from '../../parts/code-field.tsx';
import { DialogBox } from '../../parts/dialog-box.tsx';
import { EditedRecord } from '../../parts/edited-record.tsx';
import { Field } from '../../parts/field.tsx';
import { isSameJson } from '../../parts/json.ts';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { AddField } from './add-field.tsx';
import { addField, fieldNames } from './fields.ts';
import { strings } from './strings.ts';
import { type ContentType, type TypeBody, useTypeCalls } from './type-data.ts';

const textOf = (schema: Record<string, unknown>): string => JSON.stringify(schema, null, 2);

/** The fields of a type: their JSON Schema, and the form that writers get from it. */
function TypeEditor({
  data,
  dirty,
  save,
  remove,
}: {
  data: ContentType;
  /** Is set to whether there are changes that are not saved. */
  dirty: RefObject<() => boolean>;
  save?: (body: TypeBody) => Promise<void>;
  remove?: () => Promise<void>;
}) {
  const [name, setName] = useState(data.name);
  const [text, setText] = useState(textOf(data.fields_schema));
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [isAdding, setAdding] = useState(false);
  const read = useMemo(() => readJsonObject(text), [text]);
  const schema = 'value' in read ? read.value : undefined;
  const isDirty = () =>
    save !== undefined && (name.trim() !== data.name || !schema || !isSameJson(schema, data.fields_schema));
  dirty.current = isDirty;
  const saving = useMutation({
    mutationFn: async () => schema && save?.({ name, fields_schema: schema }),
  });
  const faults = useMemo(
    () => ('fault' in read ? [read.fault] : codeFaultsOf(saving.error, 'fields_schema')),
    [read, saving.error],
  );
  const { mutate, reset } = saving;
  const start = useCallback(() => mutate(), [mutate]);
  const canSave = save !== undefined && schema !== undefined && name.trim() !== '';
  useCommands(
    useMemo(
      () => (canSave ? [{ id: 'save-type', title: strings.saveCommand, group: strings.title, run: start }] : []),
      [canSave, start],
    ),
  );
  const change = (next: string) => {
    setText(next);
    reset();
  };
  const isShown = saving.error !== null && faults.length === 0;
  return (
    <Page
      title={data.name}
      lead={data.type}
      actions={
        save &&
        remove && (
          <>
            <Button variant="primary" isDisabled={!canSave} isPending={saving.isPending} onPress={start}>
              {strings.save}
            </Button>
            <ActionButton variant="danger" run={remove}>
              {strings.delete}
            </ActionButton>
          </>
        )
      }
    >
      {isShown && <ProblemView error={saving.error} />}
      <Section title={strings.name}>
        {save ? (
          <div className="form">
            <Field label={strings.name} description={strings.nameHint} value={name} onChange={setName} isRequired />
          </div>
        ) : (
          <p>{data.name}</p>
        )}
      </Section>
      <Section title={strings.form} facts={strings.formText}>
        {schema && fieldNames(schema).length > 0 ? (
          <div className="form">
            <SchemaForm key={text} schema={schema} value={values} onChange={setValues} />
          </div>
        ) : (
          <p>{strings.noFields}</p>
        )}
        {save && (
          <Button isDisabled={!schema} onPress={() => setAdding(true)}>
            {strings.addField}
          </Button>
        )}
      </Section>
      <Section title={strings.schema}>
        <div className="form-wide">
          <CodeField
            label={strings.schema}
            description={strings.schemaHint}
            language="json"
            value={text}
            onChange={change}
            faults={faults}
            isReadOnly={!save}
          />
        </div>
      </Section>
      {isAdding && schema && (
        <DialogBox title={strings.addField} onClose={() => setAdding(false)}>
          <AddField
            names={fieldNames(schema)}
            onAdd={(field) => {
              change(textOf(addField(schema, field)));
              setAdding(false);
            }}
          />
        </DialogBox>
      )}
      {save && <LeaveGuard isDirty={isDirty} />}
    </Page>
  );
}

/** The fields of a content type. */
export default function TypePage() {
  const { site, type } = useParams({ strict: false }) as { site: string; type: string };
  const mayWrite = may(useMe(), 'types.write', site) !== 'none';
  const navigate = useNavigate();
  const calls = useTypeCalls(site);
  const remove = async () => {
    await calls.remove(type);
    await navigate({ to: `/sites/${site}/types`, ignoreBlocker: true });
  };
  return (
    <EditedRecord access={calls.accessTo(type)}>
      {({ record, dirty, save }) => <TypeEditor data={record} dirty={dirty} {...(mayWrite && { save, remove })} />}
    </EditedRecord>
  );
}
