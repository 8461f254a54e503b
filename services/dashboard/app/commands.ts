import { useEffect, useSyncExternalStore } from 'react';

/** An entry of the command palette. */
export interface Command {
  /** Unique among the commands shown at a time. */
  id: string;
  title: string;
  /** The heading under which the palette lists it. */
  group: string;
  /** More words that find it. */
  keywords?: string;
  run(): void;
}

let registered: readonly (readonly Command[])[] = [];
let all: readonly Command[] = [];
const listeners = new Set<() => void>();

function change(next: readonly (readonly Command[])[]): void {
  registered = next;
  all = next.flat();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Adds commands to the palette while the component is shown. Memoize the list: a new one replaces the old one. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    change([commands, ...registered]);
    return () => change(registered.filter((list) => list !== commands));
  }, [commands]);
}

/** All commands of what is shown, those of the innermost component first. */
export const useAllCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => all);
