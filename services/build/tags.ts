/**
 * Returns the index after the tag whose `<` is at `start`: after the first `>` outside a quoted value, as browsers
 * parse it; -1 if the tag never ends. Quotes count only after an equals sign. Takes time linear in the tag.
 */
export function endOfTag(html: string, start: number): number {
  const next = /[>=]/g;
  next.lastIndex = start;
  for (let found = next.exec(html); found; found = next.exec(html)) {
    if (found[0] === '>') return next.lastIndex;
    const value = /\s*/y;
    value.lastIndex = next.lastIndex;
    value.exec(html);
    const quote = html[value.lastIndex];
    if (quote !== '"' && quote !== "'") continue;
    const closed = html.indexOf(quote, value.lastIndex + 1);
    if (closed < 0) return -1;
    next.lastIndex = closed + 1;
  }
  return -1;
}

/**
 * Returns the index of the end tag of a raw-text element (`script`, `style`), searching from `start`; -1 if not found.
 */
export function endOfRawText(html: string, name: string, start: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  end.lastIndex = start;
  return end.exec(html)?.index ?? -1;
}
