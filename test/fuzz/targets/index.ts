import type { FuzzTarget } from '../target.ts';
import { archiveTargets } from './archive.ts';
import { codeTargets } from './code.ts';
import { edgeTargets } from './edge.ts';
import { htmlTargets } from './html.ts';
import { httpTargets } from './http.ts';
import { mediaTargets } from './media.ts';
import { networkTargets } from './network.ts';
import { textTargets } from './text.ts';
import { webhookTargets } from './webhooks.ts';

/** Every parser of external input. */
export const fuzzTargets: readonly FuzzTarget[] = [
  ...textTargets,
  ...httpTargets,
  ...edgeTargets,
  ...networkTargets,
  ...webhookTargets,
  ...mediaTargets,
  ...archiveTargets,
  ...htmlTargets,
  ...codeTargets,
];
