import type { LucideIcon } from 'lucide-react';
import Plus from 'lucide-react/icons/plus';
import { useMemo } from 'react';
import { useCommands } from '../app/commands.ts';
import { Button } from './button.tsx';

/**
 * The button of a page that opens the form for a new record; the command palette lists it, too. `id` names the command and `group` its
 * heading. Memoize `onPress`: a new function replaces the command.
 */
export function CreateButton({
  id,
  title,
  group,
  icon: Icon = Plus,
  onPress,
}: {
  id: string;
  title: string;
  group: string;
  icon?: LucideIcon;
  onPress: () => void;
}) {
  useCommands(useMemo(() => [{ id, title, group, run: onPress }], [id, title, group, onPress]));
  return (
    <Button variant="primary" onPress={onPress}>
      <Icon aria-hidden size={16} />
      {title}
    </Button>
  );
}
