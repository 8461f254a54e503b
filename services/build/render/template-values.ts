/** Converts a template value to text; null if it is not text. */
import type { SafeHtml } from '../../twig/index.ts';
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value && typeof value === 'object' && 'html' in value ? String((value as SafeHtml).html) : null;
}

/** Converts a template value to a count; null if it is not a number. */
export function asCount(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  return Math.min(Math.max(0, Math.trunc(number)), Number.MAX_SAFE_INTEGER);
}

/** Converts a template value to a mapping; empty if it is not a mapping. */
export function asOptions(value: unknown): Record<string, unknown> {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
