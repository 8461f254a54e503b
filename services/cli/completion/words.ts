import type { Command } from 'commander';

/** A subcommand or a long option, and what it does. */
export interface Word {
  name: string;
  description: string;
  /** Whether an option has a value. */
  hasValue: boolean;
}

/** A command by its words from the program on, such as `fieldstone keys create`, and what may follow it. */
export interface Completion {
  command: string;
  subcommands: Word[];
  options: Word[];
}

/** Returns the completions of a program and of all its commands. */
export function completionsOf(program: Command, before: readonly string[] = []): Completion[] {
  const words = [...before, program.name()];
  const options = program.options.flatMap(({ long, description, required, optional }) => {
    return long ? [{ name: long, description, hasValue: required || optional }] : [];
  });
  const subcommands = program.commands.map((each) => {
    return { name: each.name(), description: each.description(), hasValue: false };
  });
  const own = { command: words.join(' '), subcommands, options };
  return [own, ...program.commands.flatMap((each) => completionsOf(each, words))];
}
