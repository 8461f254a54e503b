import { useState } from 'react';
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
  description?: string | undefined;
  placeholder?: string;
  /** With this number of lines it is a text of several lines. */
  lines?: number;
}

/**
 * The description, or the error in its place. A corrected field loses its error when the focus leaves it, often because a button is
 * pressed: the line stays, so that the button does not move away from the pointer.
 */
function Message({ isInvalid, description }: { isInvalid: boolean; description: string | undefined }) {
  const [isKept, setKept] = useState(false);
  if (isInvalid && !isKept) setKept(true);
  return (
    <div className="field-message" data-kept={isKept || undefined}>
      {description !== undefined && (
        <Text slot="description" className="field-description">
          {description}
        </Text>
      )}
      <FieldError className="field-error" />
    </div>
  );
}

/** A labelled text field. Errors of the browser's validation, and those of a form's `validationErrors`, are below it. */
export function Field({ label, description, placeholder, lines, ...rest }: FieldProps) {
  const hint = placeholder === undefined ? {} : { placeholder };
  return (
    <TextField {...rest} className="field">
      {({ isInvalid }) => (
        <>
          <Label>{label}</Label>
          {lines === undefined ? <Input {...hint} /> : <TextArea rows={lines} {...hint} />}
          <Message isInvalid={isInvalid} description={description} />
        </>
      )}
    </TextField>
  );
}
