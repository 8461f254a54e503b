import type { UseQueryResult } from '@tanstack/react-query';
import type { components } from '../../../client/schema.ts';
import { toProblem } from '../../app/problem.ts';
import { SandboxFrame } from '../../parts/sandbox-frame.tsx';
import { SchemaForm } from '../../parts/schema-form.tsx';
import { strings } from './strings.ts';

type Values = Record<string, unknown>;
type Tried = components['schemas']['TriedComponent'];

/** Why there is no preview: what is wrong with the component or its values. */
function faultOf({ data, error }: UseQueryResult<Tried>): string | undefined {
  if (error) {
    const problem = toProblem(error);
    return problem.details.length > 0 ? strings.noPreview : problem.message;
  }
  return data?.error ?? undefined;
}

/** The component with values from a form that its schema makes. */
export function Preview({
  schema,
  values,
  onChange,
  trial,
}: {
  schema: Values | null;
  values: Values;
  onChange: (values: Values) => void;
  trial: UseQueryResult<Tried>;
}) {
  const fault = faultOf(trial);
  return (
    <>
      <section aria-label={strings.preview} className="component-preview">
        <h2>{strings.preview}</h2>
        <SandboxFrame title={strings.preview} html={trial.data?.html ?? null} css={trial.data?.css ?? ''} />
        <p role="status" className={fault ? 'field-error' : 'field-description'}>
          {fault ?? strings.previewFact}
        </p>
      </section>
      <section aria-label={strings.values}>
        <h2>{strings.values}</h2>
        {schema === null || Object.keys(schema).length === 0 ? (
          <p className="field-description">{strings.noVariables}</p>
        ) : (
          <div className="form">
            <SchemaForm schema={schema} value={values} onChange={onChange} />
          </div>
        )}
      </section>
    </>
  );
}
