import type { ThemeFault } from './preview.ts';

/** The paths of the development server that are not of the site. */
export const ownPaths = { script: '/_fieldstone/reload.js', events: '/_fieldstone/events' } as const;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Reloads the page when the preview has changed. It is a file of the page's own origin, which its policy allows. */
export const reloadScript = `new EventSource('${ownPaths.events}').addEventListener('change', () => location.reload());\n`;

const scriptTag = `<script src="${ownPaths.script}"></script>`;

/** Returns a page of the site with the script that reloads it. */
export function withReload(html: string): string {
  const at = html.lastIndexOf('</body>');
  return at < 0 ? html + scriptTag : html.slice(0, at) + scriptTag + html.slice(at);
}

/** Returns the page that shows an error in place of the site. */
export function faultPage({ message, place, excerpt }: ThemeFault): string {
  const lines = excerpt.map(({ line, text }) => {
    const shown = `${String(line).padStart(4)}  ${escapeHtml(text)}`;
    return line === place?.line ? `<mark>${shown}</mark>` : shown;
  });
  const where = place ? `<h1>${escapeHtml(place.file)}, line ${place.line}</h1>` : '<h1>The theme has an error</h1>';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Error in the theme</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;margin:2rem;max-width:60rem}pre{overflow:auto;padding:1rem;border:1px solid}mark{background:#fcc}</style>
${where}
<p>${escapeHtml(message)}</p>
${lines.length > 0 ? `<pre>${lines.join('\n')}</pre>` : ''}
${scriptTag}
</html>
`;
}
