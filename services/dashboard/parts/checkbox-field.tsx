import { Checkbox } from 'react-aria-components/Checkbox';

/** A labelled checkbox. */
export const CheckboxField = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) => (
  <Checkbox className="checkbox" isSelected={value} onChange={onChange}>
    <span aria-hidden className="checkbox-box" />
    {label}
  </Checkbox>
);
