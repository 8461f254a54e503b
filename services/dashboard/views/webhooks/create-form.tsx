import { useState } from 'react';
import type { MapperName } from '../../../features/integrations/mapper-names.ts';
import { dataOf, rest } from '../../app/api.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { Field } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import type { CreatedIntegration } from './integrations.ts';
import { strings } from './strings.ts';

/** The form of a new integration. */
export function CreateForm({
  site,
  onCreated,
}: {
  site: string;
  onCreated: (integration: CreatedIntegration) => void;
}) {
  const [mapper, setMapper] = useState<MapperName>('autoseo');
  return (
    <CallForm
      send={({ name, slug }) =>
        dataOf(
          rest.POST('/sites/{site}/webhooks', {
            params: { path: { site } },
            body: { mapper, ...(name === undefined ? {} : { name }), ...(slug === undefined ? {} : { slug }) },
          }),
        )
      }
      onDone={onCreated}
      submit={strings.create}
      keepValues
    >
      <Field name="name" label={strings.name} description={strings.nameHint} maxLength={200} isRequired autoFocus />
      <SelectField
        label={strings.mapper}
        value={mapper}
        options={Object.entries(strings.mappers)}
        onChange={(value) => setMapper(value as MapperName)}
      />
      <Field name="slug" label={strings.slug} description={strings.slugHint} />
    </CallForm>
  );
}
