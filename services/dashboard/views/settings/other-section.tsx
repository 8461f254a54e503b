import { useState } from 'react';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import type { SectionProps } from './site-section.tsx';
import { mergePatchOf, otherSettings, parseObject } from './starter-settings.ts';
import { strings } from './strings.ts';

const ignore = () => undefined;

/** The settings that only the site's own templates know, as JSON. */
export function OtherSection({ site: { settings }, save }: SectionProps) {
  // what the form shows: the record has the changes of somebody else after a save over them
  const [others, setOthers] = useState(() => otherSettings(settings));
  const send = async ({ json = '' }) => {
    const next = parseObject(json)!;
    await save({ settings: mergePatchOf(others, next) });
    setOthers(next);
  };
  return (
    <Section title={strings.other} facts={strings.otherFact}>
      <CallForm send={send} onDone={ignore} submit={strings.save} variant="plain" keepValues>
        <div className="code-field">
          <Field
            name="json"
            label={strings.json}
            description={strings.otherHint}
            lines={6}
            defaultValue={Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2)}
            validate={(text) => (parseObject(text) ? null : strings.notObject)}
          />
        </div>
      </CallForm>
    </Section>
  );
}
