import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf, rest } from '../../../app/api.ts';
import { Button } from '../../../parts/button.tsx';
import { Pending } from '../../../parts/pending.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import { SchemaForm } from '../../../parts/schema-form.tsx';
import { SelectField } from '../../../parts/select-field.tsx';
import type { FormProps } from './dialogs.tsx';
import { strings } from './strings.ts';

type Values = Record<string, unknown>;

/** Reads the variables of a component in a document; a text that is not a JSON object has no variables. */
function readVars(text: unknown): Values {
  try {
    const value: unknown = JSON.parse(String(text ?? '{}'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
  } catch {
    return {};
  }
}

/** The form of a component: which one, and its variables by their schema. */
export function ComponentForm({ site, editor, onClose, at }: FormProps & { at: number | undefined }) {
  const shown = at === undefined ? undefined : editor.state.doc.nodeAt(at);
  const components = useQuery({
    queryKey: ['components', site],
    queryFn: async ({ signal }) =>
      (
        await pageOf(
          rest.GET('/sites/{site}/components', { params: { path: { site }, query: { per_page: 100 } }, signal }),
        )
      ).data,
  });
  const [chosen, setChosen] = useState(shown?.attrs['handle'] as string | undefined);
  const [values, setValues] = useState<Values>(() => readVars(shown?.attrs['vars']));
  if (components.isPending) return <Pending />;
  if (components.error) return <ProblemView error={components.error} onRetry={() => void components.refetch()} />;
  if (components.data.length === 0) return <p>{strings.noComponents}</p>;
  const handle = chosen ?? components.data[0]!.handle;
  const schema = components.data.find((component) => component.handle === handle)?.variables_schema ?? null;
  const finish = () => {
    const vars = Object.keys(values).length === 0 ? null : JSON.stringify(values);
    if (at === undefined) editor.chain().focus().insertContent({ type: 'component', attrs: { handle, vars } }).run();
    else
      editor.view.dispatch(editor.state.tr.setNodeAttribute(at, 'handle', handle).setNodeAttribute(at, 'vars', vars));
    onClose();
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
    >
      <SelectField
        label={strings.chooseComponent}
        value={handle}
        options={components.data.map((component) => [component.handle, component.handle] as const)}
        onChange={(next) => {
          setChosen(next);
          setValues({});
        }}
      />
      <SchemaForm schema={schema} value={values} onChange={setValues} />
      <div>
        <Button type="submit" variant="primary">
          {shown ? strings.save : strings.insert}
        </Button>
      </div>
    </form>
  );
}
