import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Form } from 'react-aria-components/Form';
import { toProblem } from '../app/problem.ts';
import { Button, type ButtonVariant } from './button.tsx';

type Values = Record<string, string>;

/** The values of the fields that are not empty, by the names of the fields. */
function valuesOf(form: HTMLFormElement): Values {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/** Returns the messages of a problem by field, for those members of the body that the form has a field for. */
const messagesOf = (error: unknown): Record<string, string> =>
  Object.fromEntries(error ? toProblem(error).details.map(({ path, message }) => [path, message]) : []);

/**
 * A form that sends its values with one call. While it is sent the button is pending; errors of single members are shown at their fields,
 * any other above the button. `onDone` gets the result; the form is then cleared unless `keepValues`.
 */
export function CallForm<T>({
  send,
  onDone,
  submit,
  variant = 'primary',
  keepValues = false,
  isReady = false,
  children,
}: {
  send: (values: Values) => Promise<T>;
  onDone: (result: T, values: Values) => void | Promise<void>;
  /** The text of the button. */
  submit: string;
  variant?: ButtonVariant;
  keepValues?: boolean;
  /** Whether the form has nothing to fill in: the button gets the focus. */
  isReady?: boolean;
  children?: ReactNode;
}) {
  const call = useMutation({ mutationFn: send });
  // the same object until the next reply: a new one would show the errors of corrected fields again
  const messages = useMemo(() => messagesOf(call.error), [call.error]);
  const problem = call.error ? toProblem(call.error) : undefined;
  return (
    <Form
      className="form"
      validationErrors={messages}
      onSubmit={(event) => {
        event.preventDefault();
        if (call.isPending) return;
        const form = event.currentTarget;
        const values = valuesOf(form);
        call.mutate(values, {
          onSuccess(result) {
            if (!keepValues) form.reset();
            void onDone(result, values);
          },
        });
      }}
    >
      {children}
      {problem && (
        <p className="form-problem" role="alert">
          {problem.message}
        </p>
      )}
      <div>
        <Button type="submit" variant={variant} isPending={call.isPending} autoFocus={isReady}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}
