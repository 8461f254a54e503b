import { escapeHtml } from './html.ts';
import type { ScriptInput } from './model.ts';

function scriptTag({ src, code }: ScriptInput): string {
  return src ? `<script src="${escapeHtml(src)}"></script>` : `<script>${inlineCode(code ?? '')}</script>`;
}

/** Code as it stands in a page: it can neither close its element nor open the comment that would hide the closing tag. */
export function inlineCode(code: string): string {
  return code.replaceAll(/<(?=\/script|!--|script)/gi, '\\x3C');
}

/** Puts text before the `</body>` that closes the page, which is the last one. */
export function insertBodyEnd(html: string, text: string): string {
  if (text === '') return html;
  const place = [...html.matchAll(/<\/body/gi)].at(-1)?.index ?? -1;
  return place < 0 ? html + text : html.slice(0, place) + text + html.slice(place);
}

/** Puts text at the end of the head; in a page without one, where the body ends. */
export function insertHead(html: string, text: string): string {
  if (text === '') return html;
  const place = html.search(/<\/head\s*>/i);
  return place < 0 ? insertBodyEnd(html, text) : html.slice(0, place) + text + html.slice(place);
}

/** Puts the site's scripts into a page: at the end of the head and before `</body>` (spec: scripts; contract: script). */
export function injectScripts(html: string, scripts: readonly ScriptInput[]): string {
  const tagsAt = (position: ScriptInput['position']) =>
    scripts
      .filter((script) => script.position === position)
      .map(scriptTag)
      .join('');
  return insertBodyEnd(insertHead(html, tagsAt('head')), tagsAt('body_end'));
}
