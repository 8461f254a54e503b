import { problem } from '../../services/core/errors.ts';
import { createShares } from '../../services/core/shares.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import { previewShares } from '../policies/index.ts';
import type { ActivityDeps } from './deps.ts';

const tooManyPreviews = () =>
  problem('unavailable', 'Too many previews of this site are being made; try again shortly.', {
    retryAfterSeconds: 2,
    isBusy: true,
  });

/** Creates the activities of previews of items and themes, with a limited number of concurrent previews per site. */
export function createPreviewActivities({ builder }: ActivityDeps): Pick<CallHandlers, 'previewItem' | 'previewShell'> {
  const previews = createShares({ ...previewShares, refuse: tooManyPreviews });
  return {
    previewItem: (input, { signal }) => previews.pass(input.siteId, signal, () => builder.previewItem(input, signal)),
    previewShell: (input, { signal }) => previews.pass(input.siteId, signal, () => builder.previewShell(input, signal)),
  };
}
