// HTML from the clipboard. Browsers run the document's own rules over it (nodes.ts), so that only known elements arrive; what is here undoes what
// word processors write: lists as paragraphs, marks as styles, and wrappers without meaning.

/** Elements that are never text of an article. */
const removed =
  'script, style, meta, link, title, xml, template, iframe, object, form, button, input, select, textarea';

/** The mark of each inline style of Google Docs and Word. */
const styledMarks: readonly (readonly [pattern: RegExp, tag: string])[] = [
  [/font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration[^;]*line-through/i, 's'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub(?!-)/i, 'sub'],
];

/** Cleans HTML from the clipboard. HTML that the editor itself has put there is left as it is. */
export function cleanPastedHtml(html: string): string {
  if (html.includes('data-pm-slice')) return html;
  // Word's conditional comments: `<![if !supportLists]>` is around the bullet of a list item
  const source = html.replace(/<!\[if !supportLists\]>.*?<!\[endif\]>/gs, '').replace(/<\/?o:p[^>]*>/gi, '');
  const page = new DOMParser().parseFromString(source, 'text/html');
  for (const element of page.querySelectorAll(removed)) element.remove();
  for (const element of page.querySelectorAll('[data-fs-html], [data-fs-source]')) {
    element.removeAttribute('data-fs-html');
    element.removeAttribute('data-fs-source');
  }
  makeWordLists(page);
  for (const element of [...page.body.querySelectorAll('b, span, font')]) cleanStyled(element as HTMLElement, page);
  for (const element of page.querySelectorAll('p')) if (isEmpty(element)) element.remove();
  for (const element of page.body.querySelectorAll('*')) element.removeAttribute('style');
  return page.body.innerHTML;
}

const isEmpty = (element: Element): boolean =>
  element.textContent!.replace(/\u00a0/g, ' ').trim() === '' && !element.querySelector('img, br, hr');

/** Replaces an element that has only styles by the marks that they stand for. */
function cleanStyled(element: HTMLElement, page: Document): void {
  const style = element.getAttribute('style') ?? '';
  const isReset = element.localName === 'b' && /font-weight:\s*normal/i.test(style);
  if (element.localName === 'b' && !isReset) return;
  const tags = styledMarks.filter(([pattern]) => pattern.test(style)).map(([, tag]) => tag);
  const isInHeading = element.closest('h1, h2, h3, h4, h5, h6') !== null;
  let content: (Node | string)[] = [...element.childNodes];
  // text of a heading is bold anyway
  for (const tag of isInHeading ? tags.filter((each) => each !== 'strong') : tags) {
    const mark = page.createElement(tag);
    mark.append(...content);
    content = [mark];
  }
  element.replaceWith(...content);
}

const levelOf = (element: Element): number =>
  Number(/mso-list:\s*l\d+ level(\d+)/i.exec(element.getAttribute('style') ?? '')?.[1] ?? 0);

/** Word writes the items of a list as paragraphs with a level and the text of the bullet. */
function makeWordLists(page: Document): void {
  const items = [...page.querySelectorAll('p')].filter((element) => levelOf(element) > 0);
  const open: Element[] = [];
  for (const item of items) {
    const level = levelOf(item);
    const isNext = open.length > 0 && item.previousElementSibling === open[0];
    if (!isNext) open.length = 0;
    const bullet = bulletOf(item);
    open.length = Math.min(open.length, level);
    while (open.length < level) {
      const list = page.createElement(/^\W*(?:\d+|[a-z]|[ivxlc]+)[.)]/i.test(bullet) ? 'ol' : 'ul');
      if (open.length === 0) item.before(list);
      else itemFor(open.at(-1)!, page).append(list);
      open.push(list);
    }
    const entry = page.createElement('li');
    entry.append(...item.childNodes);
    open.at(-1)!.append(entry);
    item.remove();
  }
}

/** Removes the bullet of an item of Word, and returns its text. */
function bulletOf(item: Element): string {
  const bullet = item.querySelector('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]');
  bullet?.remove();
  return bullet?.textContent ?? '';
}

/** The last item of a list, in which a list of the next level is. */
function itemFor(list: Element, page: Document): Element {
  const last = list.lastElementChild ?? list.appendChild(page.createElement('li'));
  return last;
}
