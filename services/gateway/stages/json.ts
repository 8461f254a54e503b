import { invalid, problem } from '../../core/errors.ts';
import { decodeText, requireStorable } from '../../core/stored-json.ts';

/**
 * A JSON object from raw bytes, without members or text that could do harm, but for what is in the member `apart`. Throws
 * `malformed_json` or `validation_failed`.
 */
export function parseJson(bytes: Buffer, apart?: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decodeText(bytes));
  } catch {
    throw problem('malformed_json', 'The body is not valid JSON.', {
      details: [{ path: '', message: 'is not valid JSON' }],
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: '', message: 'The body must be a JSON object' }]);
  }
  requireStorable(value, apart);
  return value as Record<string, unknown>;
}
