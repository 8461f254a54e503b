import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { CleanBody, GivenBody } from '../../app.ts';
import { cleanBody, maxInlineBodyBytes } from './clean.ts';

/** A body as a thread returns it: HTML too large for a row is in bytes, which are transferred without a copy. */
export type ThreadedBody = Omit<CleanBody, 'html'> & { html: string | Uint8Array<ArrayBuffer> };

function toThreaded(given: GivenBody): ThreadedBody {
  const { html, ...rest } = cleanBody(given);
  if (Buffer.byteLength(html) <= maxInlineBodyBytes) return { html, ...rest };
  return { html: new TextEncoder().encode(html), ...rest };
}

/** Cleans bodies in a thread; see `createBodyCleaner`. */
export default function cleanBodies(given: readonly GivenBody[]): ThreadedBody[] {
  const bodies = given.map(toThreaded);
  const outcome = {
    [transferableSymbol]: bodies.flatMap(({ html }) => (typeof html === 'string' ? [] : html.buffer)),
    [valueSymbol]: bodies,
  };
  return move(outcome as never) as unknown as ThreadedBody[];
}
