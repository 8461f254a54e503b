import { useMutation } from '@tanstack/react-query';
import { type RefObject, useCallback, useMemo, useState } from 'react';
import { useCommands } from '../../app/commands.ts';
import { toProblem } from '../../app/problem.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import type { CodeFault } from '../../parts/code-editor/index.tsx';
import { codeFaultsOf, readJsonObject } from '../../parts/code-faults.ts';
import { CodeField } from '../../parts/code-field.tsx';
import { isSameJson } from '../../parts/json.ts';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { Page } from '../../parts/page.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { bodyOf, type Component, type ComponentBody, useTrial } from './component-data.ts';
import { initialValues } from './initial-values.ts';
import { Preview } from './preview.tsx';
import { strings } from './strings.ts';
import { Use } from './use.tsx';

const parts = ['source', 'css', 'schema'] as const;
type Part = (typeof parts)[number];

/** The members of the body whose faults are shown at their lines. */
const members: ReadonlySet<string> = new Set(['source_code', 'css', 'variables_schema']);

/** How long the preview waits for the next change, in milliseconds. */
const pauseMs = 400;

const jsonOf = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

/** What is edited, as text, and what it means for the service. */
function useEdited(data: Component) {
  const [source, setSource] = useState(data.source_code);
  const [css, setCss] = useState(data.css ?? '');
  const [schema, setSchema] = useState(jsonOf(data.variables_schema));
  const read = useMemo(() => (schema.trim() === '' ? { value: null } : readJsonObject(schema)), [schema]);
  const faults = useMemo((): CodeFault[] => ('fault' in read ? [read.fault] : []), [read]);
  const body = useMemo((): ComponentBody | undefined => {
    if ('fault' in read) return undefined;
    return { type: data.type, source_code: source, css: css === '' ? null : css, variables_schema: read.value };
  }, [data.type, source, css, read]);
  return { texts: { source, css, schema }, set: { source: setSource, css: setCss, schema: setSchema }, body, faults };
}

const languages = { html: 'twig', react: 'tsx' } as const;

/** The editor of a component: what is written beside what it looks like. */
export function ComponentEditor({
  site,
  component,
  dirty,
  save,
  remove,
}: {
  site: string;
  component: Component;
  /** Is set to whether there are changes that are not saved. */
  dirty: RefObject<() => boolean>;
  save?: (body: ComponentBody) => Promise<void>;
  remove?: () => Promise<void>;
}) {
  const { handle, type } = component;
  const { texts, set, body, faults: schemaFaults } = useEdited(component);
  const [part, setPart] = useState<Part>('source');
  const [values, setValues] = useState(() => initialValues(component.variables_schema));
  const last = useMemo(() => body ?? bodyOf(component), [body, component]);
  const tried = useSettled(
    useMemo(() => ({ ...last, vars: values }), [last, values]),
    pauseMs,
  );
  const trial = useTrial(site, handle, tried, save !== undefined && body !== undefined);
  const isDirty = () => save !== undefined && (body === undefined || !isSameJson(body, bodyOf(component)));
  dirty.current = isDirty;
  const saving = useMutation({
    mutationFn: async () => body && save?.(body),
    onError: (error) => toProblem(error).details.some(({ path }) => members.has(path)) || notifyProblem(error),
  });
  const run = saving.mutate;
  const start = useCallback(() => run(), [run]);
  const canSave = save !== undefined && body !== undefined;
  useCommands(
    useMemo(
      () => (canSave ? [{ id: 'save-component', title: strings.saveCommand, group: strings.title, run: start }] : []),
      [canSave, start],
    ),
  );
  const error = saving.error ?? trial.error;
  const faults = useMemo(
    () => ({
      source: codeFaultsOf(error, 'source_code'),
      css: codeFaultsOf(error, 'css'),
      schema: [...schemaFaults, ...codeFaultsOf(error, 'variables_schema')],
    }),
    [error, schemaFaults],
  );
  const change = (text: string) => {
    set[part](text);
    if (saving.isError) saving.reset();
  };
  const field = {
    source: { label: strings.source, language: languages[type], description: strings.sourceHint[type] },
    css: { label: strings.css, language: 'css', description: strings.cssHint },
    schema: { label: strings.schema, language: 'json', description: strings.schemaHint },
  } as const;
  return (
    <Page
      title={handle}
      lead={strings.types[type]}
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
      <div className="component-editor">
        <div className="component-texts">
          <Choice
            label={strings.parts}
            value={part}
            options={parts.map((value) => ({
              value,
              label: faults[value].length > 0 ? strings.withFaults(field[value].label) : field[value].label,
            }))}
            onChange={setPart}
          />
          <CodeField
            key={part}
            {...field[part]}
            value={texts[part]}
            onChange={change}
            faults={faults[part]}
            isReadOnly={!save}
          />
        </div>
        <div className="component-side">
          {save && <Preview schema={last.variables_schema} values={values} onChange={setValues} trial={trial} />}
          <Use handle={handle} values={values} />
        </div>
      </div>
      {save && <LeaveGuard isDirty={isDirty} />}
    </Page>
  );
}
