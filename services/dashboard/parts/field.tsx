import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from 'react-aria-components/TextField';

export interface FieldProps extends Omit<TextFieldProps, 'children' | 'className'> {
  label: string;
  /** A sentence that helps to fill the field. */
  description?: string;
  placeholder?: string;
  /** With this number of lines it is a text of several lines. */
  lines?: number;
}

/** A labelled text field. Errors of the browser's validation, and those of a form's `validationErrors`, are below it. */
export function Field({ label, description, placeholder, lines, ...rest }: FieldProps) {
  const hint = placeholder === undefined ? {} : { placeholder };
  return (
    <TextField {...rest} className="field">
      <Label>{label}</Label>
      {lines === undefined ? <Input {...hint} /> : <TextArea rows={lines} {...hint} />}
      {description !== undefined && (
        <Text slot="description" className="field-description">
          {description}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  );
}
