import type { CodeFault } from '../../parts/code-editor/types.ts';

/** A fault of a template, in a file of the shell. */
export interface ShellFault extends CodeFault {
  file: string;
}

const place = /^.*?([^\s"'“]+\.[a-z0-9]+), line (\d+)(?:, column (\d+))?(?:: )?/s;

/** Reads the place in a message of the service, such as `home.twig, line 3, column 7: …`; null if the message has no place. */
export function readFault(message: string): ShellFault | null {
  const [head, file, line, column] = place.exec(message) ?? [];
  if (head === undefined) return null;
  return {
    file: file!,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    message: message.slice(head.length) || message,
  };
}
