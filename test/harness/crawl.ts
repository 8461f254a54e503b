/** Returns everything that visitors can reach from some paths of an edge: path → status, type and body. */
export async function crawlEdge(edge: string, from: readonly string[]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = [...from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (pages.has(at)) continue;
    const reply = await fetch(edge + at);
    const body = Buffer.from(await reply.arrayBuffer());
    pages.set(at, `${reply.status} ${reply.headers.get('content-type')} ${body.toString('base64')}`);
    if (!/html|xml|css/.test(reply.headers.get('content-type') ?? '')) continue;
    for (const [, link] of body
      .toString()
      .matchAll(/(?:href|src|srcset)="([^" ]+)|<loc>([^<]+)|url\(["']?([^"')]+)/g)) {
      if (!link) continue;
      const url = new URL(link, edge + at);
      if (url.host === new URL(edge).host && url.pathname.startsWith('/sites/')) waiting.push(url.pathname);
    }
  }
  return pages;
}
