import { useCallback, useState } from 'react';
import { Problem } from '../../app/problem.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CodeField } from '../../parts/code-field.tsx';
import { Field } from '../../parts/field.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { type Unsaved, useEdited } from '../../parts/use-edited.ts';
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
  const [unsaved] = useState<Unsaved>(() => new Set());
  const isDirty = useCallback(() => unsaved.size > 0, [unsaved]);
  const { value, edit } = useEdited(
    {
      name: script?.name ?? '',
      position: script?.position ?? ('head' as Position),
      kind: (script?.code == null ? 'src' : 'code') as Kind,
      src: script?.src ?? '',
      code: script?.code ?? '',
    },
    unsaved,
  );
  const { name, position, kind, src, code } = value;
  const submit = async () => {
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
        value={name}
        onChange={(next) => edit({ name: next })}
        maxLength={500}
        isRequired
        autoFocus
      />
      <SelectField
        label={strings.position}
        value={position}
        options={Object.entries(strings.positions)}
        onChange={(next) => edit({ position: next as Position })}
      />
      <div>
        <Choice
          label={strings.kind}
          value={kind}
          options={Object.entries(strings.kinds).map(([value, label]) => ({ value: value as Kind, label }))}
          onChange={(next) => edit({ kind: next })}
        />
      </div>
      {kind === 'src' ? (
        <Field
          name="src"
          type="url"
          label={strings.src}
          description={strings.srcHint}
          placeholder="https://stats.example.com/count.js"
          value={src}
          onChange={(next) => edit({ src: next })}
          isRequired
        />
      ) : (
        <CodeField
          label={strings.code}
          description={strings.codeHint}
          language="js"
          value={code}
          onChange={(next) => edit({ code: next })}
        />
      )}
      <LeaveGuard isDirty={isDirty} />
    </CallForm>
  );
}
