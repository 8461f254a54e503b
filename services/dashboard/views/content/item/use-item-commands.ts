import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../../app/commands.ts';
import { strings } from './strings.ts';

/** Something that is done with the item as a whole. */
export interface ItemAction {
  title: string;
  run: () => Promise<unknown>;
}

/** Adds the actions that an item now has to the command palette. */
export function useItemCommands(actions: readonly ItemAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  const titles = actions.map(({ title }) => title).join('\n');
  const commands = useMemo(
    (): Command[] =>
      titles
        .split('\n')
        .filter(Boolean)
        .map((title) => ({
          id: `item:${title}`,
          title,
          group: strings.itemGroup,
          run: () => void latest.current.find((action) => action.title === title)?.run(),
        })),
    [titles],
  );
  useCommands(commands);
}
