import { useMutation } from '@tanstack/react-query';
import { Button, type ButtonProps } from './button.tsx';
import { notifyProblem } from './notify.ts';

/** A button that does something with one or more calls; while they run it is pending, and a failure is notified. */
export function ActionButton<T>({
  run,
  onDone,
  ...rest
}: Omit<ButtonProps, 'onPress' | 'isPending'> & { run: () => Promise<T>; onDone?: (result: T) => void }) {
  const action = useMutation({ mutationFn: run, onError: notifyProblem });
  return (
    <Button
      {...rest}
      isPending={action.isPending}
      onPress={() => action.mutate(undefined, onDone ? { onSuccess: onDone } : {})}
    />
  );
}
