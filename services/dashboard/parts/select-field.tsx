import { useId } from 'react';

/** A labelled choice of one among several values, with the browser's own list. */
export function SelectField({
  label,
  value,
  options,
  onChange,
  isDisabled = false,
}: {
  label: string;
  value: string;
  /** Values with their names. */
  options: readonly (readonly [value: string, name: string])[];
  onChange: (value: string) => void;
  isDisabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} disabled={isDisabled} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
