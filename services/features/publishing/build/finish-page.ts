import { notFoundRoot } from '../manifest.ts';
import { relativePath } from '../paths.ts';
import { contentSecurityPolicy, type ScriptSources } from './csp.ts';
import { mapRootedLinks } from './links.ts';
import type { ScriptInput } from './model.ts';
import type { PageOrder, RenderedPage } from './render/protocol.ts';
import { injectScripts, inlineCode, insertHead } from './scripts.ts';

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

function asScripts(codes: readonly string[]): ScriptInput[] {
  return codes.map((code, index) => ({ id: `component-${index}`, position: 'body_end', src: null, code }));
}

/**
 * Finishes a rendered page: the styles and scripts of its components and the site's scripts go in, links from the site's
 * root become relative, and the policy says what may run.
 */
export function finishPage(
  page: RenderedPage,
  { plan }: PageOrder,
  scripts: readonly ScriptInput[],
  shell: ScriptSources,
): FinishedPage {
  const { path, reads } = page;
  if (plan.kind === 'feed') return { path, reads, data: Buffer.from(page.html), type: feedType, policy: null };
  const all = [...scripts, ...asScripts(page.scripts)];
  const styles = page.css.map((css) => `<style>${css.replaceAll(/<(?=\/style)/gi, '\\3C ')}</style>`).join('');
  const html = injectScripts(insertHead(page.html, styles), all);
  const linked = mapRootedLinks(html, (address) =>
    plan.kind === 'not_found'
      ? address.startsWith(notFoundRoot)
        ? address
        : notFoundRoot + address.slice(1)
      : relativePath(path, address),
  );
  const policy = contentSecurityPolicy({
    inline: [...shell.inline, ...all.flatMap((script) => (script.code === null ? [] : [inlineCode(script.code)]))],
    external: [...shell.external, ...all.flatMap((script) => (script.src === null ? [] : [script.src]))],
  });
  return { path, reads, data: Buffer.from(linked), type: htmlType, policy };
}
