import { useState } from 'react';
import { rest } from '../../app/api.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { CheckboxField } from '../../parts/checkbox-field.tsx';
import { Field } from '../../parts/field.tsx';
import { strings } from './strings.ts';

/** Imports a file from a URL. */
export function ImportForm({ site, onImported }: { site: string; onImported: () => Promise<void> }) {
  const [decorative, setDecorative] = useState(false);
  return (
    <CallForm
      send={({ url = '', alt }) =>
        rest.POST('/sites/{site}/media', {
          params: { path: { site } },
          body: { url, ...(decorative ? { decorative } : alt === undefined ? {} : { alt }) },
        })
      }
      onDone={onImported}
      submit={strings.importSubmit}
      keepValues
    >
      <Field name="url" type="url" label={strings.url} isRequired autoFocus />
      <Field name="alt" label={strings.alt} description={strings.altHint} isDisabled={decorative} maxLength={2000} />
      <CheckboxField label={strings.decorative} value={decorative} onChange={setDecorative} />
    </CallForm>
  );
}
