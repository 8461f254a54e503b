import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { Label } from 'react-aria-components/Label';

/** A labelled choice of any number of values, each of which may be explained. */
export const CheckboxList = ({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: readonly string[];
  options: readonly { value: string; label: string; description?: string }[];
  onChange: (value: string[]) => void;
}) => (
  <CheckboxGroup className="checkbox-list" value={[...value]} onChange={onChange}>
    <Label>{label}</Label>
    {options.map((option) => (
      <Checkbox key={option.value} value={option.value} className="checkbox">
        <span aria-hidden className="checkbox-box" />
        <span>
          {option.label}
          {option.description !== undefined && <small>{option.description}</small>}
        </span>
      </Checkbox>
    ))}
  </CheckboxGroup>
);
