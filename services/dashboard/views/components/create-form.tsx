import { useState } from 'react';
import { Problem, toProblem } from '../../app/problem.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import type { ComponentBody } from './component-data.ts';
import { strings } from './strings.ts';

const handlePattern = /^[a-z0-9][a-z0-9_-]{0,119}$/;
const types = ['html', 'react'] as const;

/** The form of a new component: its handle and kind. It begins with a small example. */
export function CreateForm({
  create,
  onCreated,
}: {
  create: (handle: string, type: ComponentBody['type']) => Promise<void>;
  onCreated: (handle: string) => void;
}) {
  const [type, setType] = useState<ComponentBody['type']>('html');
  const send = async ({ handle = '' }) => {
    await create(handle, type).catch((error: unknown) => {
      const { status, code } = toProblem(error);
      if (status !== 412) throw error;
      throw new Problem(strings.inUse(handle), {
        code,
        status,
        details: [{ path: 'handle', message: strings.inUse(handle) }],
      });
    });
    return handle;
  };
  return (
    <CallForm send={send} onDone={onCreated} submit={strings.create} keepValues>
      <Field
        name="handle"
        label={strings.handle}
        description={strings.handleHint}
        autoComplete="off"
        isRequired
        autoFocus
        validate={(value) => (value === '' || handlePattern.test(value) ? null : strings.handleRule)}
      />
      <div>
        <Choice
          label={strings.type}
          value={type}
          options={types.map((value) => ({ value, label: strings.types[value] }))}
          onChange={setType}
        />
      </div>
    </CallForm>
  );
}
