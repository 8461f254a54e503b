import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the dashboard as browsers get it. */
export interface DashboardFile {
  /** Below `/dashboard`. */
  path: string;
  type: string;
  body: Buffer;
}

const read = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'pages', name));

const page = { type: 'text/html; charset=utf-8', body: read('index.html') };

/** The pages and what they load. `/link` opens the token in its fragment, by POST. */
export const dashboardFiles: readonly DashboardFile[] = [
  { path: '', ...page },
  { path: '/', ...page },
  { path: '/link', ...page },
  { path: '/dashboard.js', type: 'text/javascript; charset=utf-8', body: read('dashboard.js') },
  { path: '/dashboard.css', type: 'text/css; charset=utf-8', body: read('dashboard.css') },
];
