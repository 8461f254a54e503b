/**
 * Returns the document of a frame without scripts that shows markup with its style sheet. Such a frame has the policy of the page, which
 * takes style elements with the nonce only: style attributes become rules. `parse` makes a document of the markup without running it.
 */
export function sandboxDocument(html: string, css: string, nonce: string, parse: (html: string) => Document): string {
  const doc = parse(html);
  const rules: string[] = [];
  for (const [index, element] of doc.querySelectorAll('[style]').entries()) {
    rules.push(`[data-inline="${index}"] { ${element.getAttribute('style')} }`);
    element.setAttribute('data-inline', String(index));
    element.removeAttribute('style');
  }
  for (const element of doc.querySelectorAll('style')) element.setAttribute('nonce', nonce);
  const base = ':root { font: 16px/1.5 system-ui, sans-serif; background: #fff; color: #111; color-scheme: light }';
  const sheet = [base, css, ...rules].join('\n').replaceAll('</', '<\\/');
  const title = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title>';
  return `${title}<style nonce="${nonce}">${sheet}</style></head><body>${doc.body.innerHTML}</body></html>`;
}
