import { useState } from 'react';
import { Problem } from '../../app/problem.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { Field } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import type { Script, ScriptMembers } from './script-data.ts';
import { strings } from './strings.ts';

type Kind = keyof typeof strings.kinds;
type Position = Script['position'];

/** The form of a script, new or stored. */
export function ScriptForm({
  script,
  send,
  onDone,
}: {
  script?: Script;
  send: (members: ScriptMembers) => Promise<void>;
  onDone: () => void;
}) {
  const [kind, setKind] = useState<Kind>(script?.code == null ? 'src' : 'code');
  const [position, setPosition] = useState<Position>(script?.position ?? 'head');
  const [code, setCode] = useState(script?.code ?? '');
  const submit = async ({ name = '', src = '' }: Record<string, string>) => {
    if (kind === 'code' && code.trim() === '')
      throw new Problem(strings.needCode, { code: 'validation_failed', status: 422 });
    await send({ name, position, ...(kind === 'src' ? { src: src.trim(), code: null } : { src: null, code }) });
  };
  return (
    <CallForm send={submit} onDone={onDone} submit={script ? strings.save : strings.create} keepValues>
      <Field
        name="name"
        label={strings.name}
        description={strings.nameHint}
        defaultValue={script?.name ?? ''}
        maxLength={500}
        isRequired
        autoFocus
      />
      <SelectField
        label={strings.position}
        value={position}
        options={Object.entries(strings.positions)}
        onChange={(next) => setPosition(next as Position)}
      />
      <div>
        <Choice
          label={strings.kind}
          value={kind}
          options={Object.entries(strings.kinds).map(([value, label]) => ({ value: value as Kind, label }))}
          onChange={setKind}
        />
      </div>
      {kind === 'src' ? (
        <Field
          name="src"
          type="url"
          label={strings.src}
          description={strings.srcHint}
          placeholder="https://stats.example.com/count.js"
          defaultValue={script?.src ?? ''}
          isRequired
        />
      ) : (
        <CodeField label={strings.code} description={strings.codeHint} language="js" value={code} onChange={setCode} />
      )}
    </CallForm>
  );
}
