/** The dashboard as the gateway serves it: one page, and the files of its browser code. */
export { type Bundle, loadBundle } from './bundle.ts';
export { renderPage } from './page.ts';
