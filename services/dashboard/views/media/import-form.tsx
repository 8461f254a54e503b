import { useState } from 'react';
import { rest } from '../../app/api.ts';
import { AltFields, type AltText } from '../../parts/alt-fields.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { strings } from './strings.ts';

/** Imports a file from a URL. */
export function ImportForm({ site, onImported }: { site: string; onImported: () => Promise<void> }) {
  const [alt, setAlt] = useState<AltText>({ text: '', isDecorative: false });
  return (
    <CallForm
      send={({ url = '' }) =>
        rest.POST('/sites/{site}/media', {
          params: { path: { site } },
          body: { url, ...(alt.isDecorative ? { decorative: true } : alt.text ? { alt: alt.text } : {}) },
        })
      }
      onDone={onImported}
      submit={strings.importSubmit}
      keepValues
    >
      <Field name="url" type="url" label={strings.url} isRequired autoFocus />
      <AltFields value={alt} onChange={setAlt} />
    </CallForm>
  );
}
