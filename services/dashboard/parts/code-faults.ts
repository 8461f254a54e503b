import { toProblem } from '../app/problem.ts';
import type { CodeFault } from './code-editor/types.ts';
import { isObject } from './json.ts';

/**
 * Returns what a problem says about one member that is code, at its lines: the service writes `line 3, column 5: text`. What has no line
 * is about the first one.
 */
export function codeFaultsOf(error: unknown, member: string): CodeFault[] {
  const details = error ? toProblem(error).details.filter(({ path }) => path === member) : [];
  return details.map(({ message }) => {
    const [, line, column] = /^line (\d+)(?:, column (\d+))?:/.exec(message) ?? [];
    return { line: Number(line ?? 1), message, ...(column === undefined ? {} : { column: Number(column) }) };
  });
}

/** Returns the JSON object in a text, or what is wrong with it, in Chromium with the place. */
export function readJsonObject(text: string): { value: Record<string, unknown> } | { fault: CodeFault } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { value };
    return { fault: { line: 1, message: 'This is not a JSON object.' } };
  } catch (error) {
    const { message } = error as Error;
    const [, line] = /line (\d+)/.exec(message) ?? [];
    const [, position] = /position (\d+)/.exec(message) ?? [];
    const counted = position === undefined ? 1 : text.slice(0, Number(position)).split('\n').length;
    return { fault: { line: Number(line ?? counted), message } };
  }
}
