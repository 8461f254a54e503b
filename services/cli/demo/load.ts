import { readFile } from 'node:fs/promises';
import type { DemoItem } from './content/items.ts';

/** The members of a content item as sent to the API. */
export type ContentBody = Omit<DemoItem, 'body' | 'translates'> & {
  body_html: string;
  status: 'published';
  translation_of?: string;
};

/**
 * Converts a demo item to a request body: its HTML is read from `content/`. `translationOf` is the id of the item it
 * translates.
 */
export async function loadContentBody(item: DemoItem, translationOf?: string): Promise<ContentBody> {
  const { body, translates: _translates, ...members } = item;
  const bodyHtml = await readFile(new URL(`./content/${body}`, import.meta.url), 'utf8');
  return {
    ...members,
    body_html: bodyHtml.trimEnd(),
    status: 'published',
    ...(translationOf === undefined ? {} : { translation_of: translationOf }),
  };
}
