import { relativePath } from '../core/public-paths.ts';
import { rewriteCss } from './css.ts';
import { mapRootRelativeLinks } from './links.ts';
import { assetsPrefix, notFoundRoot } from './manifest.ts';
import type { ScriptInput } from './model.ts';
import type { PagePlan } from './page-plan.ts';
import { injectScripts, insertBodyEnd, insertHead } from './scripts.ts';

/** What pages need of components in addition to their markup. Plain data: it is sent to the renderer. */
export interface ComponentParts {
  /** By handle: a style sheet with the public paths of shell files, and the path of a script. */
  parts: Record<string, { css: string | null; script: string | null }>;
  /** Path of the runtime that all scripts import; null if no component has a script. */
  runtime: string | null;
}

type Link = (path: string) => string;

/** Renders a style element: URLs go through `link`, and the text cannot close the element. */
function styleElement(css: string, link: Link): string {
  const linked = rewriteCss(css, '', (target) => {
    const path = `/${target}`;
    return path.startsWith(assetsPrefix) ? link(encodeURI(path)) : null;
  });
  return `<style>${linked.replaceAll(/<(?=\/style)/gi, '\\3C ')}</style>`;
}

/** Returns the HTML for the head and for the end of the body of a page that shows these components. */
function pageParts({ parts, runtime }: ComponentParts, handles: Iterable<string>, link: Link) {
  const shown = [...handles].flatMap((handle) => (Object.hasOwn(parts, handle) ? parts[handle]! : []));
  const styles = shown.flatMap(({ css }) => (css === null ? [] : styleElement(css, link)));
  const scripts = shown.flatMap(({ script }) => script ?? []);
  const preload = scripts.length > 0 && runtime ? [`<link rel="modulepreload" href="${runtime}">`] : [];
  return {
    head: [...styles, ...preload].join(''),
    bodyEnd: scripts.map((path) => `<script type="module" src="${path}"></script>`).join(''),
  };
}

/**
 * Returns the function that turns a path from the site's root into a link of this page. The 404 page has no relative
 * links, because it is served at any depth.
 */
function linkFrom({ kind, path }: PagePlan): Link {
  if (kind !== 'not_found') return (url) => relativePath(path, url);
  return (url) => (url.startsWith(notFoundRoot) ? url : notFoundRoot + url.slice(1));
}

/**
 * Finishes the HTML of a rendered page: inserts the styles and scripts of its components and the site's scripts, and
 * makes links from the site's root relative. Its cost grows with the page, so it runs in the renderer.
 */
export function finishHtml(
  html: string,
  plan: PagePlan,
  shown: Iterable<string>,
  { components, scripts }: { components: ComponentParts; scripts: readonly ScriptInput[] },
): string {
  const link = linkFrom(plan);
  const { head, bodyEnd } = pageParts(components, shown, link);
  return mapRootRelativeLinks(injectScripts(insertBodyEnd(insertHead(html, head), bodyEnd), scripts), link);
}
