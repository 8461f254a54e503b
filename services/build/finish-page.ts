import { componentSources, type SiteComponents } from './components.ts';
import { contentSecurityPolicy, type ScriptSources } from './csp.ts';
import type { ScriptInput } from './model.ts';
import type { PlannedPage, RenderedPage } from './render/protocol.ts';
import { inlineCode } from './scripts.ts';

/** A page as it is served to visitors. */
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
 * Creates the function that adds the content type and the Content-Security-Policy to a rendered page. Pages with the same
 * components have the same policy, which is made once.
 */
export function createPageFinisher(scripts: readonly ScriptInput[], shell: ScriptSources, components: SiteComponents) {
  const policies = new Map<string, string>();

  function policyOf(shown: readonly string[]): string {
    const key = shown.join(' ');
    let policy = policies.get(key);
    if (policy === undefined) {
      const sources = componentSources(components, shown);
      policy = contentSecurityPolicy({
        inline: [
          ...shell.inline,
          ...sources.inline,
          ...scripts.flatMap((script) => (script.code === null ? [] : [inlineCode(script.code)])),
        ],
        ...(shell.hashes ? { hashes: shell.hashes } : {}),
        external: [
          ...shell.external,
          ...sources.external,
          ...scripts.flatMap((script) => (script.src === null ? [] : [script.src])),
        ],
      });
      policies.set(key, policy);
    }
    return policy;
  }

  return ({ path, reads, html, components: shown }: RenderedPage, { plan }: PlannedPage): FinishedPage => {
    const data = Buffer.from(html);
    if (plan.kind === 'feed') return { path, reads, data, type: feedType, policy: null };
    return { path, reads, data, type: htmlType, policy: policyOf(shown) };
  };
}
