import { CheckboxField } from '../../../parts/checkbox-field.tsx';
import { Field } from '../../../parts/field.tsx';
import { strings } from './strings.ts';

/** An alternative text as it is typed. */
export interface AltText {
  text: string;
  isDecorative: boolean;
}

/** The alternative text of an image, which an image that only decorates does not need. */
export const AltFields = ({
  value: { text, isDecorative },
  onChange,
  autoFocus,
}: {
  value: AltText;
  onChange: (value: AltText) => void;
  autoFocus: boolean;
}) => (
  <>
    <Field
      label={strings.alt}
      description={strings.altHint}
      value={isDecorative ? '' : text}
      onChange={(next) => onChange({ text: next, isDecorative })}
      isDisabled={isDecorative}
      isRequired={!isDecorative}
      autoFocus={autoFocus}
      maxLength={2000}
    />
    <CheckboxField
      label={strings.decorative}
      value={isDecorative}
      onChange={(next) => onChange({ text, isDecorative: next })}
    />
  </>
);
