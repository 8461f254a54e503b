import { escapeHtml } from '../core/html.ts';
import type { ScriptInput } from './model.ts';

function scriptTag({ src, code }: ScriptInput): string {
  return src ? `<script src="${escapeHtml(src)}"></script>` : `<script>${inlineCode(code ?? '')}</script>`;
}

/** Escapes inline code so that it can neither close its element nor open a comment that hides the closing tag. */
export function inlineCode(code: string): string {
  return code.replaceAll(/<(?=\/script|!--|script)/gi, '\\x3C');
}

/** Inserts text before the last `</body>`, or at the end of a page without one. */
export function insertBodyEnd(html: string, text: string): string {
  if (text === '') return html;
  const place = [...html.matchAll(/<\/body/gi)].at(-1)?.index ?? -1;
  return place < 0 ? html + text : html.slice(0, place) + text + html.slice(place);
}

/** Inserts text at the end of the head; in a page without one, at the end of the body. */
export function insertHead(html: string, text: string): string {
  if (text === '') return html;
  const place = html.search(/<\/head\s*>/i);
  return place < 0 ? insertBodyEnd(html, text) : html.slice(0, place) + text + html.slice(place);
}

/** Inserts the site's scripts at the end of the head and before `</body>` (spec: scripts; contract: script). */
export function injectScripts(html: string, scripts: readonly ScriptInput[]): string {
  const tagsAt = (position: ScriptInput['position']) =>
    scripts
      .filter((script) => script.position === position)
      .map(scriptTag)
      .join('');
  return insertBodyEnd(insertHead(html, tagsAt('head')), tagsAt('body_end'));
}
