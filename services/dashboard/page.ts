import type { BundleIndex } from './bundle.ts';

const assets = '/dashboard/assets';

/**
 * Returns the one page of the dashboard. It holds no inline code. The nonce is that of the page's Content-Security-Policy; libraries that
 * add style elements read it from the meta element.
 */
export function renderPage({ scripts, styles, fonts }: BundleIndex, nonce: string): string {
  const [entry, ...imported] = scripts;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>Fieldstone</title>
<link rel="icon" href="data:,">
${styles.map((name) => `<link rel="stylesheet" href="${assets}/${name}">`).join('\n')}
${fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${assets}/${name}">`).join('\n')}
${imported.map((name) => `<link rel="modulepreload" href="${assets}/${name}">`).join('\n')}
<script type="module" src="${assets}/${entry}"></script>
</head>
<body>
<div id="root"><noscript>The dashboard needs JavaScript.</noscript></div>
</body>
</html>
`;
}
