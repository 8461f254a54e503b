import { boundText, type RenderState } from './state.ts';
import { SafeHtml, type TwigValue } from './values.ts';

/** The `loop` variable. One object is used for all iterations of a loop. */
export interface Loop {
  parent: TwigValue;
  index0: number;
  index: number;
  revindex0: number;
  revindex: number;
  first: boolean;
  last: boolean;
  length: number;
}

/** Creates the `loop` variable of a loop that is about to start. */
export function openLoop(length: number, parent: TwigValue): Loop {
  return {
    parent,
    index0: 0,
    index: 1,
    revindex0: length - 1,
    revindex: length,
    first: true,
    last: length === 1,
    length,
  };
}

/** Moves the `loop` variable to an iteration. */
export function turnLoop(loop: Loop, index: number): void {
  loop.index0 = index;
  loop.index = index + 1;
  loop.revindex0 = loop.length - index - 1;
  loop.revindex = loop.length - index;
  loop.first = index === 0;
  loop.last = index === loop.length - 1;
}

/** Returns the captured output of `set`, `apply` and macros. It is markup, because its parts were already escaped. */
export function capture(text: string, state: RenderState): string | SafeHtml {
  return text === '' ? '' : new SafeHtml(boundText(text, state));
}
