import { useState } from 'react';
import { CheckboxField } from './checkbox-field.tsx';
import { Field } from './field.tsx';
import { type FormSchema, readFormSchema, readObjectSchema } from './form-schema.ts';
import { isObject } from './json.ts';
import { SelectField } from './select-field.tsx';

type Values = Record<string, unknown>;

/** The texts of the form. */
const strings = {
  none: 'Not set',
  json: 'As JSON',
  notJson: 'This is not valid JSON.',
  lines: 'One per line',
  number: 'This is not a number.',
} as const;

/** `some_name` and `someName` become `Some name`. */
const labelOf = (name: string, { title }: FormSchema): string => {
  if (title) return title;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

/** A form for an object that a JSON Schema describes. Members that are emptied are left out of the value. */
export function SchemaForm({
  schema,
  value,
  onChange,
  messages = {},
}: {
  schema: Record<string, unknown> | null;
  value: Values;
  onChange: (value: Values) => void;
  /** What is wrong with members, by name. */
  messages?: Readonly<Record<string, string>>;
}) {
  if (!schema) return null;
  const { properties = {}, required } = readObjectSchema(schema);
  const set = (name: string, next: unknown) => {
    const { [name]: _before, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  return Object.entries(properties).map(([name, member]) => (
    <Member
      key={name}
      name={name}
      schema={readFormSchema(member)}
      source={member}
      value={value[name]}
      isRequired={required.includes(name)}
      message={messages[name]}
      onChange={(next) => set(name, next)}
    />
  ));
}

interface MemberProps {
  name: string;
  schema: FormSchema;
  /** The schema as it is written. */
  source: unknown;
  value: unknown;
  isRequired: boolean;
  message: string | undefined;
  onChange: (value: unknown) => void;
}

function Member(props: MemberProps) {
  const { name, schema, source, value, isRequired, message, onChange } = props;
  const { type } = schema;
  const common = {
    label: labelOf(name, schema),
    isRequired,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(message === undefined ? {} : { isInvalid: true, errorMessage: message }),
  };
  if (schema.enum)
    return (
      <SelectField
        label={common.label}
        value={value === undefined ? '' : JSON.stringify(value)}
        options={[['', strings.none], ...schema.enum.map((each) => [JSON.stringify(each), String(each)] as const)]}
        onChange={(next) => onChange(next === '' ? undefined : JSON.parse(next))}
      />
    );
  if (type === 'boolean') return <CheckboxField label={common.label} value={value === true} onChange={onChange} />;
  if (type === 'number' || type === 'integer') return <NumberMember {...props} common={common} />;
  if (type === 'string') {
    const isLong = schema.format === 'html' || (schema.maxLength ?? 0) > 300 || String(value ?? '').length > 120;
    const inputType = { date: 'date', email: 'email', uri: 'url' }[schema.format ?? ''];
    return (
      <Field
        {...common}
        {...(isLong ? { lines: 5 } : {})}
        {...(inputType ? { type: inputType } : {})}
        value={String(value ?? '')}
        onChange={(next) => onChange(next === '' ? undefined : next)}
      />
    );
  }
  if (type === 'array' && schema.itemType === 'string')
    return (
      <Field
        {...common}
        description={schema.description ?? strings.lines}
        lines={4}
        value={Array.isArray(value) ? value.join('\n') : ''}
        onChange={(next) => onChange(next === '' ? undefined : next.split('\n'))}
      />
    );
  if (type === 'object' && schema.properties)
    return (
      <fieldset className="fieldset">
        <legend>{common.label}</legend>
        <SchemaForm schema={source as Values} value={isObject(value) ? value : {}} onChange={onChange} />
      </fieldset>
    );
  return <JsonMember {...props} common={common} />;
}

type Common = { label: string; isRequired: boolean };

/** A number as it is typed: an incomplete number such as `-` has no value. */
function NumberMember({ schema, value, onChange, common }: MemberProps & { common: Common }) {
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const change = (next: string) => {
    setText(next);
    if (next.trim() === '') onChange(undefined);
    else if (Number.isFinite(Number(next))) onChange(Number(next));
  };
  return (
    <Field
      {...common}
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={text}
      onChange={change}
      validate={() => (Number.isFinite(Number(text)) ? null : strings.number)}
    />
  );
}

/** Any other value, as JSON. */
function JsonMember({ value, onChange, common }: MemberProps & { common: Common }) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const parse = (json: string): { value: unknown } | undefined => {
    try {
      return { value: json.trim() === '' ? undefined : JSON.parse(json) };
    } catch {
      return undefined;
    }
  };
  return (
    <Field
      description={strings.json}
      {...common}
      lines={4}
      value={text}
      onChange={(next) => {
        setText(next);
        const read = parse(next);
        if (read) onChange(read.value);
      }}
      validate={() => (parse(text) ? null : strings.notJson)}
    />
  );
}
