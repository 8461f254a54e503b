import { escapeHtml } from '../html.ts';
import { type MissingKind, missingNames } from '../reads.ts';

const failedStyle = 'display:block;border:2px solid #c00;padding:.5em;color:#c00;background:#fff;font:14px monospace';

/** A component's markup in its element; `data` are further attributes, each after a space. */
export function wrap(handle: string, data: string, markup: string): string {
  return `<x-component data-component="${handle}"${data}>${markup}</x-component>`;
}

/** The same of a component that wakes up in the browser, with what it needs for that. */
export function liveMarkup(handle: string, props: string, idPrefix: string, markup: string): string {
  return wrap(handle, ` data-props='${escapeJson(props)}' data-id-prefix="${idPrefix}"`, markup);
}

/** What a preview shows in the place of a component that failed. */
export function failedMarkup(handle: string, message: string): string {
  return wrap(handle, ` role="alert" style="${failedStyle}"`, escapeHtml(message));
}

/** What a preview shows in the place of something that the site does not have. */
export function missingNote(kind: MissingKind, reference: string): string {
  const text = escapeHtml(`There is no ${missingNames[kind]} "${reference}".`);
  return `<span role="alert" data-missing="${kind}" style="${failedStyle}">${text}</span>`;
}

/** In single quotes, since JSON is full of the double ones; without what looks like another attribute. */
function escapeJson(json: string): string {
  return json
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&#39;')
    .replaceAll('=', '&#61;');
}
