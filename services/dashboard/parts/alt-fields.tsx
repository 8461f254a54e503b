import { strings } from '../app/strings.ts';
import { CheckboxField } from './checkbox-field.tsx';
import { Field, type FieldProps } from './field.tsx';

/** An alternative text as it is typed. */
export interface AltText {
  text: string;
  isDecorative: boolean;
}

/** Whether an image has a text, or needs none. */
export const isDescribed = ({ text, isDecorative }: AltText): boolean => isDecorative || text.trim() !== '';

/** The alternative text of an image, which a decorative image does not need. A form shows an error of the member `alt` here. */
export const AltFields = ({
  value: { text, isDecorative },
  onChange,
  isRequired = false,
  ...field
}: { value: AltText; onChange: (value: AltText) => void } & Pick<
  FieldProps,
  'description' | 'isRequired' | 'autoFocus' | 'onFocus'
>) => (
  <>
    <Field
      description={strings.altHint}
      {...field}
      name="alt"
      label={strings.alt}
      value={text}
      onChange={(next) => onChange({ text: next, isDecorative })}
      isDisabled={isDecorative}
      isRequired={isRequired && !isDecorative}
      maxLength={2000}
    />
    <CheckboxField
      label={strings.decorative}
      value={isDecorative}
      onChange={(next) => onChange({ text, isDecorative: next })}
    />
  </>
);
