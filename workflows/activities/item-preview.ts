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

/** Creates the activity of item previews (workflows/contracts/item-preview.ts), with a limited number of concurrent previews per site. */
export function createItemPreviewActivities({ builder }: ActivityDeps): Pick<CallHandlers, 'previewItem'> {
  const previews = createShares({ ...previewShares, refuse: tooManyPreviews });
  return {
    previewItem: (input, { signal }) => previews.pass(input.siteId, signal, () => builder.previewItem(input, signal)),
  };
}
