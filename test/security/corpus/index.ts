import { handlers } from './handlers.ts';
import { mutation } from './mutation.ts';
import { clobbering, dirt, forms, styles } from './others.ts';
import { scripts } from './scripts.ts';
import { urls } from './urls.ts';
import type { Vector } from './vector.ts';

export { canary, type Vector } from './vector.ts';

/** Hostile HTML, grouped by technique; used by the unit tests and by the test in a real browser. */
export const corpus: Vector[] = [
  ...scripts,
  ...handlers,
  ...urls,
  ...mutation,
  ...styles,
  ...forms,
  ...clobbering,
  ...dirt,
];
