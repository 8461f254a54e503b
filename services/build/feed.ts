import type { ItemInput } from './model.ts';
import { element, escapeXml } from './xml.ts';

/** Number of newest posts in a feed. */
export const feedItems = 20;

export interface FeedEntry {
  item: ItemInput;
  url: string;
  /** The body with absolute URLs. */
  html: string;
}

export interface FeedInput {
  title: string;
  description: string;
  locale: string;
  homeUrl: string;
  feedUrl: string;
  entries: FeedEntry[];
}

function rssDate(timestamp: string): string {
  return new Date(timestamp).toUTCString();
}

function renderEntry({ item, url, html }: FeedEntry): string {
  return [
    '<item>',
    element('title', item.title),
    element('link', url),
    // the identity of a post outlives its slug
    `<guid isPermaLink="false">urn:uuid:${item.id}</guid>`,
    `<pubDate>${rssDate(item.published_at ?? item.created_at)}</pubDate>`,
    element('dc:creator', item.author),
    ...item.tags.map((tag) => element('category', tag)),
    element('description', item.excerpt ?? item.seo_description),
    element('content:encoded', html),
    '</item>',
  ].join('');
}

/** Renders the RSS 2.0 feed of a locale: the newest posts in full, with absolute URLs. */
export function renderFeed(feed: FeedInput): string {
  const newest = feed.entries
    .map(({ item }) => item.updated_at)
    .sort()
    .at(-1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', feed.title),
    element('link', feed.homeUrl),
    `<description>${escapeXml(feed.description)}</description>`,
    element('language', feed.locale),
    newest ? `<lastBuildDate>${rssDate(newest)}</lastBuildDate>` : '',
    `<atom:link href="${escapeXml(feed.feedUrl)}" rel="self" type="application/rss+xml"/>`,
    ...feed.entries.map(renderEntry),
    '</channel></rss>\n',
  ].join('');
}
