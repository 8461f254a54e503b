import { escapeHtml } from '../../core/html.ts';
import { type MissingKind, missingNames } from '../reads.ts';

const failedStyle = 'display:block;border:2px solid #c00;padding:.5em;color:#c00;background:#fff;font:14px monospace';

/** Wraps a component's markup in its element; `data` holds further attributes, each after a space. */
export function wrap(handle: string, data: string, markup: string): string {
  return `<x-component data-component="${handle}"${data}>${markup}</x-component>`;
}

/** Wraps the markup of a component that is hydrated in the browser, with the data for that. */
export function liveMarkup(handle: string, props: string, idPrefix: string, markup: string): string {
  return wrap(handle, ` data-props='${escapeJson(props)}' data-id-prefix="${idPrefix}"`, markup);
}

/** Renders what a preview shows instead of a component that failed. */
export function failedMarkup(handle: string, message: string): string {
  return wrap(handle, ` role="alert" style="${failedStyle}"`, escapeHtml(message));
}

/** Renders what a preview shows instead of something that the site does not have. */
export function missingNote(kind: MissingKind, reference: string): string {
  const text = escapeHtml(`There is no ${missingNames[kind]} "${reference}".`);
  return `<span role="alert" data-missing="${kind}" style="${failedStyle}">${text}</span>`;
}

/**
 * Escapes JSON for an attribute in single quotes (JSON is full of double quotes), so that nothing in it looks like
 * another attribute.
 */
function escapeJson(json: string): string {
  return json
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&#39;')
    .replaceAll('=', '&#61;');
}
