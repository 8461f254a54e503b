import { createHash } from 'node:crypto';
import type { ReactRunner } from '../../../../engines/sandbox/components/react-runner.ts';
import { createTwigEnvironment, TwigError } from '../../../../engines/sandbox/twig/index.ts';
import { ContentFault } from '../model.ts';
import { reads } from '../reads.ts';
import { createSiteIndex } from '../site-index.ts';
import { componentOfTemplate, createComponentRenderer } from './components.ts';
import { renderFeedPage } from './feed-page.ts';
import { createPageLog, MissingBody, type PageLog, type RenderData } from './page-log.ts';
import { createPageScope } from './page-scope.ts';
import type { PageOrder, RenderFault, RenderReply, RenderSnapshot } from './protocol.ts';

const sliceMs = 250;
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

function findMissingBody(error: unknown): MissingBody | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof MissingBody) return cause;
  return null;
}

/**
 * Renders pages of one snapshot, in the process that it is called in: pure, without network or files. A page's result
 * depends on nothing but what its log says that it read.
 */
export function createRenderSession(snapshot: RenderSnapshot, react: ReactRunner, maxCharacters = 64_000_000) {
  const index = createSiteIndex(snapshot.inputs);
  const hashes = new Map(
    Object.entries(snapshot.templates).map(([name, source]) => [
      name,
      createHash('sha256').update(source).digest('hex'),
    ]),
  );
  const data: RenderData = {
    index,
    siteUrl: snapshot.siteUrl,
    assetPaths: new Map(snapshot.assetPaths),
    translations: snapshot.translations,
    bodies: new Map(),
    preview: snapshot.preview,
    renderComponent: (use) => components.render(use),
  };
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
      return hash === undefined ? null : { source: snapshot.templates[name]!, hash };
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
    mustPass: (error) => findMissingBody(error) !== null,
  });

  function renderPage({ plan, template }: PageOrder): RenderReply {
    const log = createPageLog();
    log.reads.add(reads.plan(plan.path));
    const scope = createPageScope(data, plan, log);
    current = { functions: scope.functions, log };
    try {
      const html =
        plan.kind === 'feed' ? renderFeedPage(data, plan, scope, log) : environment.render(template, scope.context);
      const { path } = plan;
      const page = {
        path,
        html,
        reads: [...log.reads],
        components: [...log.components],
      };
      return { kind: 'page', page };
    } catch (error) {
      const missing = findMissingBody(error);
      if (missing) return { kind: 'bodies', path: plan.path, itemIds: missingBodies(missing, log) };
      return { kind: 'fault', fault: describeFault(error, plan.path) };
    } finally {
      current = null;
    }
  }

  let characters = 0;
  /** Whether a page waits for bodies: it needs those that it was sent before, too. */
  let isAsking = false;

  /** Remembers bodies, since pages show those of others; not all of a large site's, which pages can ask for again. */
  function takeBodies(bodies: ReadonlyMap<string, string>): void {
    if (characters > maxCharacters && !isAsking) {
      data.bodies.clear();
      characters = 0;
    }
    for (const [id, body] of bodies) {
      characters += body.length - (data.bodies.get(id)?.length ?? 0);
      data.bodies.set(id, body);
    }
  }

  /** A page that shows one body of a list is likely to show the others. */
  function missingBodies({ itemId }: MissingBody, log: PageLog): string[] {
    const listed = [...log.listed].filter((id) => id !== itemId && !data.bodies.has(id));
    return [itemId, ...listed.slice(0, maxBodiesAtOnce)];
  }

  return {
    /**
     * Renders the first of the pages asked for, as many as fit into a moment, so that the caller can report progress and
     * stop. `bodies` are those of these pages and what pages have asked for; a page that lacks one answers which.
     */
    render(orders: readonly PageOrder[], bodies: ReadonlyMap<string, string>): RenderReply[] {
      takeBodies(bodies);
      const replies: RenderReply[] = [];
      const startedAt = performance.now();
      for (const order of orders) {
        replies.push(renderPage(order));
        if (performance.now() - startedAt > sliceMs) break;
      }
      isAsking = replies.some(({ kind }) => kind === 'bodies');
      return replies;
    },
  };
}
