import { Parser } from 'htmlparser2';

/** A body in pieces: unchanged HTML, and placeholders that the build replaces. */
export type BodyPiece =
  | { kind: 'html'; html: string }
  | { kind: 'media'; id: string; attributes: Record<string, string> }
  | { kind: 'component'; handle: string; vars: string };

const mediaScheme = 'media:';
const componentElement = 'x-component';

/**
 * Splits a sanitized body at `<img src="media:{id}">` and `<x-component handle="…" vars='{…}'></x-component>`
 * (contract: In `body_html`). Everything else is kept byte for byte.
 */
export function splitBody(html: string): BodyPiece[] {
  if (!html.includes(mediaScheme) && !html.includes(componentElement)) return [{ kind: 'html', html }];
  const pieces: BodyPiece[] = [];
  let kept = 0;
  let openComponents = 0;
  const replace = (start: number, end: number, piece: BodyPiece) => {
    if (start > kept) pieces.push({ kind: 'html', html: html.slice(kept, start) });
    pieces.push(piece);
    kept = end;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === componentElement) {
          openComponents++;
          if (openComponents > 1) return;
          const piece: BodyPiece = {
            kind: 'component',
            handle: attributes['handle'] ?? '',
            vars: attributes['vars'] ?? '',
          };
          replace(parser.startIndex, parser.endIndex + 1, piece);
        } else if (openComponents === 0 && name === 'img' && attributes['src']?.startsWith(mediaScheme)) {
          const id = attributes['src'].slice(mediaScheme.length).toLowerCase();
          replace(parser.startIndex, parser.endIndex + 1, { kind: 'media', id, attributes });
        }
      },
      onclosetag(name) {
        if (name !== componentElement) return;
        openComponents--;
        // content inside the element is dropped; the component replaces all of it
        if (openComponents === 0) kept = Math.max(kept, parser.endIndex + 1);
      },
    },
    { lowerCaseTags: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  if (kept < html.length) pieces.push({ kind: 'html', html: html.slice(kept) });
  return pieces;
}
