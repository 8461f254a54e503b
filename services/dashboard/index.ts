import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A file that the dashboard serves to browsers. */
export interface DashboardFile {
  /** Path below `/dashboard`. */
  path: string;
  type: string;
  body: Buffer;
}

const read = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'pages', name));

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const page = { type: html, body: read('index.html') };

/** The pages and their files. The page `/link` sends the token of its fragment by POST. */
export const dashboardFiles: readonly DashboardFile[] = [
  { path: '', ...page },
  { path: '/', ...page },
  { path: '/link', ...page },
  { path: '/key-request', type: html, body: read('key-request.html') },
  { path: '/key-request.js', type: script, body: read('key-request.js') },
  { path: '/dashboard.js', type: script, body: read('dashboard.js') },
  { path: '/dashboard.css', type: 'text/css; charset=utf-8', body: read('dashboard.css') },
];
