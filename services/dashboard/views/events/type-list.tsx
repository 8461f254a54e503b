import { CheckboxList } from '../../parts/checkbox-list.tsx';
import type { EventType } from './endpoint-data.ts';
import { strings } from './strings.ts';

const options = (Object.keys(strings.typeTexts) as EventType[]).map((value) => ({
  value,
  label: value,
  description: strings.typeTexts[value],
}));

/** The choice of the types of events that an endpoint gets. */
export const TypeList = ({
  value,
  onChange,
}: {
  value: readonly EventType[];
  onChange: (types: EventType[]) => void;
}) => (
  <CheckboxList
    label={strings.types}
    value={value}
    options={options}
    onChange={(types) => onChange(types as EventType[])}
  />
);
