import { relativePath } from '../core/public-paths.ts';
import { pageParts, type SiteComponents } from './components.ts';
import { contentSecurityPolicy, type ScriptSources } from './csp.ts';
import { mapRootedLinks } from './links.ts';
import { notFoundRoot } from './manifest.ts';
import type { ScriptInput } from './model.ts';
import type { PageOrder, RenderedPage } from './render/protocol.ts';
import { injectScripts, inlineCode, insertBodyEnd, insertHead } from './scripts.ts';

/** A page as visitors get it. */
export interface FinishedPage {
  path: string;
  data: Buffer;
  type: string;
  policy: string | null;
  reads: string[];
}

const htmlType = 'text/html; charset=utf-8';
const feedType = 'application/rss+xml; charset=utf-8';

/**
 * Finishes a rendered page: the styles and scripts of its components and the site's scripts go in, links from the site's
 * root become relative, and the policy says what may run.
 */
export function finishPage(
  page: RenderedPage,
  { plan }: PageOrder,
  scripts: readonly ScriptInput[],
  shell: ScriptSources,
  components: SiteComponents,
): FinishedPage {
  const { path, reads } = page;
  if (plan.kind === 'feed') return { path, reads, data: Buffer.from(page.html), type: feedType, policy: null };
  const link = (address: string) => {
    if (plan.kind !== 'not_found') return relativePath(path, address);
    return address.startsWith(notFoundRoot) ? address : notFoundRoot + address.slice(1);
  };
  const parts = pageParts(components, page.components, link);
  const html = injectScripts(insertBodyEnd(insertHead(page.html, parts.head), parts.bodyEnd), scripts);
  const linked = mapRootedLinks(html, link);
  const policy = contentSecurityPolicy({
    inline: [
      ...shell.inline,
      ...parts.sources.inline,
      ...scripts.flatMap((script) => (script.code === null ? [] : [inlineCode(script.code)])),
    ],
    ...(shell.hashes ? { hashes: shell.hashes } : {}),
    external: [
      ...shell.external,
      ...parts.sources.external,
      ...scripts.flatMap((script) => (script.src === null ? [] : [script.src])),
    ],
  });
  return { path, reads, data: Buffer.from(linked), type: htmlType, policy };
}
