import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startFirstReads } from './first-reads.ts';
import { createQueryClient } from './queries.ts';
import { router } from './router.tsx';
import { meQuery } from './session.ts';
import { applyTheme } from './theme.ts';
// small parts of nearly every view: in the file of the program, they cost no request of their own
import './format.ts';
import '../parts/page.tsx';
import '../parts/sheet.tsx';
import '../parts/time.tsx';

/** How long nothing is shown while the view and the session are loaded; then a placeholder is shown. */
const quietMs = 200;

/**
 * Shows the dashboard, once the module of the view and the session are there: React replaces a placeholder only 300 ms after it has shown
 * it. Not awaited at the top level, because the modules of views import this one.
 */
async function start(): Promise<void> {
  startFirstReads(Array.from(document.querySelectorAll<HTMLLinkElement>('link[as="fetch"]'), ({ href }) => href));
  applyTheme();
  const client = createQueryClient();
  const ready = Promise.all([router.load(), client.prefetchQuery(meQuery)]);
  await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, quietMs))]);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
