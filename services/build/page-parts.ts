import { relativePath } from '../core/public-paths.ts';
import { rewriteCss } from './css.ts';
import { mapRootedLinks } from './links.ts';
import { assetsPrefix, notFoundRoot } from './manifest.ts';
import type { ScriptInput } from './model.ts';
import type { PagePlan } from './pages.ts';
import { injectScripts, insertBodyEnd, insertHead } from './scripts.ts';

/** What pages get of components beside their markup. Plain data: it crosses into the renderer. */
export interface ComponentParts {
  /** By handle: a style sheet with the public paths of the shell's files, and the path of a script. */
  parts: Record<string, { css: string | null; script: string | null }>;
  /** The path of what all scripts import; null if no component has a script. */
  runtime: string | null;
}

type Link = (path: string) => string;

/** A style sheet as it stands in a page: addresses go through `link`, and it cannot close its element. */
function styleElement(css: string, link: Link): string {
  const linked = rewriteCss(css, '', (target) => {
    const path = `/${target}`;
    return path.startsWith(assetsPrefix) ? link(encodeURI(path)) : null;
  });
  return `<style>${linked.replaceAll(/<(?=\/style)/gi, '\\3C ')}</style>`;
}

/** What goes into a page that shows these components: for its head, and for the end of its body. */
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

/** Where an address from the site's root leads on this page. The 404 page is served at any depth, so that it has no relative ones. */
function linkFrom({ kind, path }: PagePlan): Link {
  if (kind !== 'not_found') return (address) => relativePath(path, address);
  return (address) => (address.startsWith(notFoundRoot) ? address : notFoundRoot + address.slice(1));
}

/**
 * Finishes the HTML of a rendered page: the styles and scripts of the components that it shows and the site's scripts go in, links
 * from the site's root become relative. It costs as much as the page is long, hence it runs in the renderer.
 */
export function finishHtml(
  html: string,
  plan: PagePlan,
  shown: Iterable<string>,
  { components, scripts }: { components: ComponentParts; scripts: readonly ScriptInput[] },
): string {
  const link = linkFrom(plan);
  const { head, bodyEnd } = pageParts(components, shown, link);
  return mapRootedLinks(injectScripts(insertBodyEnd(insertHead(html, head), bodyEnd), scripts), link);
}
