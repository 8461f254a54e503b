/** A value of a template as text; null for what is none. */
import type { SafeHtml } from '../../twig/index.ts';
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value && typeof value === 'object' && 'html' in value ? String((value as SafeHtml).html) : null;
}

/** A value of a template as a number of things; null for what is none. */
export function asCount(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  return Math.min(Math.max(0, Math.trunc(number)), Number.MAX_SAFE_INTEGER);
}

/** A value of a template as a mapping; empty for what is none. */
export function asOptions(value: unknown): Record<string, unknown> {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
