import { ask, type Flood, keepBusy, pause } from './client.ts';

const askAgainMs = 1000;

/**
 * Publishes a site repeatedly, each time with another layout, so that every page is rendered. Each publish is requested
 * while the preview of the layout is being built, which is then cancelled.
 */
function publishAgain(flood: Flood, kind: string, slug: string, file: string, text: string): Promise<void> {
  const site = `/api/v1/sites/${slug}`;
  let round = 0;
  return keepBusy(1, flood.signal, async () => {
    const body = `${text}{# ${round++} #}`;
    const path = encodeURIComponent(file);
    await ask(flood, 'shell', `${site}/shell/file/${path}`, { method: 'PUT', body });
    await pause(askAgainMs, flood.signal);
    const { status, retryAfterMs, data } = await ask(flood, 'publishes', `${site}/publish`, { method: 'POST' });
    if (status !== 202) return { retryAfterMs };
    for (let job = data; !flood.signal.aborted; ) {
      if (job['finished_at']) {
        flood.ledger.note(kind, String(job['status']));
        break;
      }
      await pause(askAgainMs, flood.signal);
      job = (await ask(flood, 'jobs', `/api/v1/jobs/${data['job']}`)).data;
    }
    return { retryAfterMs };
  });
}

/** Just below the limit of steps of a page. */
export const slowTemplate =
  '{% for i in 1..2400000 %}{% endfor %}<html><head></head><body>{{ page.title }}</body></html>';

/** A pattern that V8 can neither finish nor pass to its linear engine: only killing the renderer ends it. */
export const crashingTemplate =
  '{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" matches "/^(?=(a+)+b)(a+)+$/" }}<html><head></head><body></body></html>';

export const publishSlowSites = (flood: Flood): Promise<unknown> =>
  Promise.all(flood.input.slowSites.map((slug) => publishAgain(flood, 'slowBuilds', slug, 'post.twig', slowTemplate)));

export const publishCrashingSites = (flood: Flood): Promise<unknown> =>
  Promise.all(
    flood.input.crashingSites.map((slug) => publishAgain(flood, 'crashingBuilds', slug, 'home.twig', crashingTemplate)),
  );
