import { Outlet } from '@tanstack/react-router';
import { Notifications } from '../parts/notifications.tsx';

/** What every page has: the notifications. */
export function Root() {
  return (
    <>
      <Outlet />
      <Notifications />
    </>
  );
}
