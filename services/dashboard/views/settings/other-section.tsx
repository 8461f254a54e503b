import { useRef } from 'react';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { useEdited } from '../../parts/use-edited.ts';
import type { SectionProps } from './site-section.tsx';
import { mergePatchOf, otherSettings, parseObject } from './starter-settings.ts';
import { strings } from './strings.ts';

const ignore = () => undefined;

/** The settings that only the site's own templates know, as JSON. */
export function OtherSection({ site: { settings }, save, unsaved }: SectionProps) {
  const others = otherSettings(settings);
  const stored = Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2);
  const { value, isDirty, edit, submit } = useEdited({ others: stored }, unsaved);
  // the settings that the edited text began with
  const base = useRef(others);
  if (!isDirty) base.current = others;
  const send = () => submit(() => save({ settings: mergePatchOf(base.current, parseObject(value.others)!) }));
  return (
    <Section title={strings.other} facts={strings.otherFact}>
      <CallForm send={send} onDone={ignore} submit={strings.save} variant="plain" keepValues>
        <div className="code-field">
          <Field
            name="json"
            label={strings.json}
            description={strings.otherHint}
            lines={6}
            value={value.others}
            onChange={(next) => edit({ others: next })}
            validate={(text) => (parseObject(text) ? null : strings.notObject)}
          />
        </div>
      </CallForm>
    </Section>
  );
}
