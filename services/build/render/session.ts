import { escapeHtml } from '../../core/html.ts';
import type { ReactRunner } from '../../engines/sandbox/components/react-runner.ts';
import { createTwigEnvironment, TwigError } from '../../twig/index.ts';
import type { ItemLists } from '../item-lists.ts';
import { ContentFault } from '../model.ts';
import { finishHtml } from '../page-parts.ts';
import { reads } from '../reads.ts';
import { insertHead } from '../scripts.ts';
import { createSiteIndex } from '../site-index.ts';
import { componentOfTemplate, createComponentRenderer } from './components.ts';
import { renderFeedPage } from './feed-page.ts';
import { createPageLog, MissingBody, MissingSource, type PageLog, type RenderData } from './page-log.ts';
import { createPageScope } from './page-scope.ts';
import type { PlannedPage, RenderFault, RenderReply, RenderRequest, RenderSnapshot } from './protocol.ts';
import { createSourceCache } from './source-cache.ts';

/** A slice of work ends after this time or this total length of pages, which bounds the size of a reply. */
const sliceMs = 250;
const sliceCharacters = 4_000_000;
const maxBodiesAtOnce = 100;
const functionNames = ['posts', 'pages', 'asset', 'media', 'component', 'url', 't'] as const;

function describeFault(error: unknown, path: string): RenderFault {
  if (error instanceof TwigError) {
    const { template, line, column } = error;
    return { path, template, line, column, message: error.message };
  }
  if (error instanceof ContentFault) return { path, template: '', line: 0, column: 0, message: error.message };
  throw error;
}

/** Returns the missing body or source that caused an error, or null. */
function findMissing(error: unknown): MissingBody | MissingSource | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof MissingBody || cause instanceof MissingSource) return cause;
  return null;
}

/** Limits of a session's memory, in characters: bodies, and sources of templates that are not compiled. */
export interface MemoryLimits {
  maxCharacters?: number;
  maxSourceCharacters?: number;
}

/** What the caller has for a session: lists of the items of its snapshot, and limits. */
export interface SessionOptions extends MemoryLimits {
  lists?: ItemLists;
}

/**
 * Creates a session that renders pages of one snapshot in the calling process. It is pure, without network or files: a
 * page depends only on the reads in its log.
 */
export function createRenderSession(snapshot: RenderSnapshot, react: ReactRunner, options: SessionOptions = {}) {
  const { maxCharacters = 16_000_000, maxSourceCharacters, lists } = options;
  const index = createSiteIndex(snapshot.inputs, lists);
  const hashes = new Map(Object.entries(snapshot.templates));
  const sources = createSourceCache(maxSourceCharacters);
  const data: RenderData = {
    index,
    siteUrl: snapshot.siteUrl,
    assetPaths: new Map(snapshot.assetPaths),
    translations: snapshot.translations,
    bodies: new Map(),
    preview: snapshot.preview,
    renderComponent: (use) => components.render(use),
  };
  const finishing = { components: snapshot.componentParts, scripts: snapshot.inputs.scripts };
  let current: { functions: ReturnType<typeof createPageScope>['functions']; log: PageLog } | null = null;

  const environment = createTwigEnvironment({
    getSource(name) {
      const handle = componentOfTemplate(name);
      if (handle !== null) {
        current?.log.reads.add(reads.component(handle));
        return components.template(handle);
      }
      current?.log.reads.add(reads.shell(name));
      const hash = hashes.get(name);
      if (hash === undefined) return null;
      return {
        hash,
        /** Read only when the template is not compiled yet. */
        get source() {
          return sources.require(name);
        },
      };
    },
    functions: Object.fromEntries(
      functionNames.map((name) => [name, (args, named) => current!.functions[name]!(args, named)]),
    ),
  });

  const components = createComponentRenderer({
    sources: snapshot.components,
    preview: snapshot.preview,
    react,
    renderTemplate: (name, context) => environment.render(name, context),
    mustRethrow: (error) => findMissing(error) !== null,
  });

  /**
   * Returns the page with a link to its item's `canonical_url`, unless its template has a canonical link. The page has
   * read the item.
   */
  function addCanonicalLink(html: string, itemId: string | null): string {
    const url = itemId === null ? null : index.itemById(itemId)!.canonical_url;
    if (url === null || /<link\s[^<>]*\brel\s*=\s*["']?canonical\b/i.test(html)) return html;
    return insertHead(html, `<link rel="canonical" href="${escapeHtml(url)}">`);
  }

  function renderPage({ plan, template }: PlannedPage): RenderReply {
    const log = createPageLog();
    log.reads.add(reads.plan(plan.path));
    const scope = createPageScope(data, plan, log);
    current = { functions: scope.functions, log };
    try {
      const html =
        plan.kind === 'feed'
          ? renderFeedPage(data, plan, scope, log)
          : finishHtml(
              addCanonicalLink(environment.render(template, scope.context), plan.itemId),
              plan,
              log.components,
              finishing,
            );
      const page = {
        path: plan.path,
        html,
        reads: [...log.reads],
        components: [...log.components],
      };
      return { kind: 'page', page };
    } catch (error) {
      const missing = findMissing(error);
      if (missing instanceof MissingSource) return { kind: 'source', path: plan.path, name: missing.template };
      if (missing) return { kind: 'bodies', path: plan.path, itemIds: missingBodies(missing, log) };
      return { kind: 'fault', fault: describeFault(error, plan.path) };
    } finally {
      current = null;
    }
  }

  let characters = 0;
  /** Whether a page waits for bodies; it also needs those already sent to it. */
  let awaitsBodies = false;

  /**
   * Caches bodies, because pages show those of others. Clears the cache when it is full; pages can request bodies
   * again.
   */
  function cacheBodies(bodies: ReadonlyMap<string, string>): void {
    if (characters > maxCharacters && !awaitsBodies) {
      data.bodies.clear();
      characters = 0;
    }
    for (const [id, body] of bodies) {
      characters += body.length - (data.bodies.get(id)?.length ?? 0);
      data.bodies.set(id, body);
    }
  }

  /** Returns the bodies to request. A page that shows one body of a list is likely to show the others. */
  function missingBodies({ itemId }: MissingBody, log: PageLog): string[] {
    const listed = [...log.listed].filter((id) => id !== itemId && !data.bodies.has(id));
    return [itemId, ...listed.slice(0, maxBodiesAtOnce)];
  }

  return {
    /**
     * Renders the first of the requested pages for a short time, so that the caller can report progress and stop. The
     * reply for a page that needs a body or a template source names it.
     */
    render({ pages, bodies, sources: sent }: RenderRequest): RenderReply[] {
      cacheBodies(bodies);
      sources.remember(sent);
      const replies: RenderReply[] = [];
      const startedAt = performance.now();
      let made = 0;
      for (const page of pages) {
        const reply = renderPage(page);
        replies.push(reply);
        if (reply.kind === 'page') made += reply.page.html.length;
        if (performance.now() - startedAt > sliceMs || made > sliceCharacters) break;
      }
      awaitsBodies = replies.some(({ kind }) => kind === 'bodies');
      return replies;
    },
  };
}
