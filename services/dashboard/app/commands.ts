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

interface Registered {
  commands: readonly Command[];
  isGeneral: boolean;
}

let registered: readonly Registered[] = [];
let all: readonly Command[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Registered[]): void {
  registered = next;
  const [own, general] = [next.filter(({ isGeneral }) => !isGeneral), next.filter(({ isGeneral }) => isGeneral)];
  all = [...own, ...general].flatMap(({ commands }) => commands);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Adds commands to the palette while the component is shown; those of a view are listed before the general ones of the shell. Memoize the
 * list: a new one replaces the old one.
 */
export function useCommands(commands: readonly Command[], { isGeneral = false }: { isGeneral?: boolean } = {}): void {
  useEffect(() => {
    const own = { commands, isGeneral };
    change([...registered, own]);
    return () => change(registered.filter((one) => one !== own));
  }, [commands, isGeneral]);
}

/** All commands of what is shown. */
export const useAllCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => all);
