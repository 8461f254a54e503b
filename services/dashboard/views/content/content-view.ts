import type { components } from '../../../client/schema.ts';

type Schemas = components['schemas'];

/** A content item as the API returns it. */
export type Item = Schemas['Content'];
/** The pending draft of an item: the members that it changes, and what is known of the draft. */
export type Draft = Schemas['Draft'];
/** A type of content with the schema of its fields. */
export type ContentType = Schemas['ContentType'];
export type Status = Item['status'];
export type Warning = Item['warnings'][number];

/** The members of an item that a list shows. */
export const listedMembers = [
  ...(['id', 'title', 'slug', 'status', 'type', 'locale', 'author', 'tags'] as const),
  ...(['updated_at', 'published_at', 'scheduled_at'] as const),
];
export type ListedItem = Pick<Item, (typeof listedMembers)[number]>;

/** Items of each request of a list: the most that the API returns (spec: Query parameters). */
export const itemsPerPage = 100;
