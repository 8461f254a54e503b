/** A warning of the sanitizer about a text. */
export interface Warning {
  code: string;
  message: string;
}

const prefix = 'fields.';

/** Returns the path in errors for a JSON pointer within `fields`. */
export const fieldPath = (pointer: string): string => ['fields', ...pointer.split('/').slice(1)].join('.');

/**
 * Returns a warning about a member of `fields`. Its message starts with the member's path, which identifies such
 * warnings.
 */
export const warningOf = (pointer: string, { code, message }: Warning): Warning => ({
  code,
  message: `${fieldPath(pointer)}: ${message}`,
});

/** Returns the warnings about the body, or about the fields, of an item. */
export function keptWarnings(warnings: readonly Warning[], about: 'body' | 'fields'): Warning[] {
  return warnings.filter(({ message }) => message.startsWith(prefix) === (about === 'fields'));
}
