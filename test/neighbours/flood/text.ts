const paragraph = '<p>The “north” ridge &amp; its cairns, <em>1,204 m</em>, see <a href="/posts/">posts</a>.</p>';

/** Returns HTML that takes up to `bytes` as a JSON string. */
export function makeText(bytes: number): string {
  return paragraph.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(paragraph))));
}
