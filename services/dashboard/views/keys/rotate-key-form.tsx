import { useState } from 'react';
import { callOwn } from '../../app/api.ts';
import { CallForm } from '../../parts/call-form.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import type { CreatedKey } from './keys.tsx';
import { strings } from './strings.ts';

/** Asks how long the previous secret stays valid, and replaces it. */
export function RotateKeyForm({ id, onRotated }: { id: string; onRotated: (key: CreatedKey) => void }) {
  const [overlap, setOverlap] = useState('1440');
  return (
    <CallForm
      send={() => callOwn<CreatedKey>('POST', `/keys/${id}/rotate`, { overlap_minutes: Number(overlap) })}
      onDone={onRotated}
      submit={strings.rotateSubmit}
    >
      <p>{strings.rotateText}</p>
      <SelectField
        label={strings.overlap}
        value={overlap}
        options={Object.entries(strings.overlaps)}
        onChange={setOverlap}
      />
    </CallForm>
  );
}
