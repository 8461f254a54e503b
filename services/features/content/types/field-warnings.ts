/** What sanitizing says of a text. */
export interface Warning {
  code: string;
  message: string;
}

const prefix = 'fields.';

/** The path of a JSON pointer within `fields`, as errors name it. */
export const fieldPath = (pointer: string): string => ['fields', ...pointer.split('/').slice(1)].join('.');

/** A warning about a member of `fields`: its message begins with the member's path, which no other warning's does. */
export const warningOf = (pointer: string, { code, message }: Warning): Warning => ({
  code,
  message: `${fieldPath(pointer)}: ${message}`,
});

/** The warnings of an item that are about its body, or about its fields. */
export function keptWarnings(warnings: readonly Warning[], about: 'body' | 'fields'): Warning[] {
  return warnings.filter(({ message }) => message.startsWith(prefix) === (about === 'fields'));
}
