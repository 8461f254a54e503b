import { lazy, Suspense, useEffect, useState } from 'react';
import { onFirstNotice } from './notify.ts';

const Toasts = lazy(() => import('./toasts.tsx'));

/** The region of the page with the notifications; its code is loaded at the first one. */
export function Notifications() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => onFirstNotice(() => setNeeded(true)), []);
  return isNeeded ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
