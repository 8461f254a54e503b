import { z } from 'zod';
import { sample } from '../../core/sample.ts';
import { timestampText } from '../../core/schema.ts';

/** One type of event, with all data for docs/events.md and the OpenAPI document. */
interface EventDeclaration {
  /** Completes the sentence “It is sent when …”. */
  sentWhen: string;
  /** The members of `data` in addition to `site`. */
  data: z.ZodObject;
  /** Example of these members. */
  example: Record<string, unknown>;
}

/** Maximum length of a list of URLs in an event (contract: Events). */
export const maxListedUrls = 1000;

const release = z.uuid().describe('The release that is live now');
const content = z.object({ id: z.uuid(), type: z.string(), slug: z.string(), locale: z.string(), url: z.string() });
const contentChange = z.object({ content, release });
const urls = z.array(z.string()).max(maxListedUrls);
const error = z.string().nullable().describe('At most 500 characters');

const contentExample = {
  content: { id: sample.other, type: 'post', slug: 'hello', locale: 'en', url: 'https://www.example.com/posts/hello/' },
  release: sample.id,
};

/** Every type of event that an endpoint can subscribe to, in the order of all lists of types. */
export const eventCatalogue = {
  'content.published': {
    sentWhen:
      'the live site shows the page of an item that had no page before, for whatever reason: published, scheduled, by webhook, restored, by rollback',
    data: contentChange,
    example: contentExample,
  },
  'content.updated': {
    sentWhen:
      'the page of an item that had one before has moved, or shows another revision of the item and differs. A change of the shell alone is not one of an item',
    data: contentChange,
    example: contentExample,
  },
  'content.unpublished': {
    sentWhen: 'the live site no longer shows the page of an item. `url` is where it was',
    data: contentChange,
    example: contentExample,
  },
  'site.published': {
    sentWhen:
      'another release went live. The lists have the URLs of pages, redirects and files without a hash in their name whose reply differs from the release before',
    data: z.object({
      release,
      url: z.string(),
      pages: z.int().describe('Pages of the release'),
      added: urls,
      changed: urls,
      removed: urls,
      truncated: z.boolean().describe(`A list had more than ${maxListedUrls} URLs; it has the first ${maxListedUrls}`),
    }),
    example: {
      release: sample.id,
      url: 'https://www.example.com/',
      pages: 214,
      added: ['https://www.example.com/posts/hello/'],
      changed: ['https://www.example.com/', 'https://www.example.com/feed.xml', 'https://www.example.com/sitemap.xml'],
      removed: [],
      truncated: false,
    },
  },
  'delivery.failed': {
    sentWhen: 'an inbound delivery has used all its attempts',
    data: z.object({
      integration: z.object({ id: z.uuid(), slug: z.string() }),
      delivery: z.object({ id: z.uuid(), delivery_id: z.string(), attempts: z.int(), error }),
    }),
    example: {
      integration: { id: sample.id, slug: 'newsroom' },
      delivery: { id: sample.other, delivery_id: 'd-1042', attempts: 6, error: 'The image could not be fetched.' },
    },
  },
  'job.failed': {
    sentWhen: 'a job of any kind failed',
    data: z.object({ job: z.uuid(), kind: z.enum(['publish', 'rebuild', 'scheduled', 'webhook']), error }),
    example: { job: sample.other, kind: 'publish', error: 'post.twig, line 3: Unexpected token.' },
  },
  'media.ready': {
    sentWhen: 'a media item becomes `ready`: at once for a file, else when pages can show the image or play the video',
    data: z.object({
      media: z.object({ id: z.uuid(), kind: z.enum(['image', 'video', 'file']), filename: z.string() }),
    }),
    example: { media: { id: sample.other, kind: 'image', filename: 'cairn.jpg' } },
  },
} as const satisfies Record<string, EventDeclaration>;

/** The types that an endpoint can subscribe to. */
export type EventType = keyof typeof eventCatalogue;
export const eventTypes = Object.keys(eventCatalogue) as [EventType, ...EventType[]];

/** Sent only on request, regardless of the subscriptions of the endpoint. */
export const testEventType = 'endpoint.test';
export type AnyEventType = EventType | typeof testEventType;

/** The members of an event's `data` in addition to `site`. */
export type EventData<Type extends EventType> = z.input<(typeof eventCatalogue)[Type]['data']>;

/** The catalogue with the test event. */
export const allEvents: Readonly<Record<AnyEventType, EventDeclaration>> = {
  ...eventCatalogue,
  [testEventType]: {
    sentWhen: 'a test was requested',
    data: z.object({ endpoint: z.uuid() }),
    example: { endpoint: sample.id },
  },
};

const site = z.object({ id: z.uuid(), slug: z.string() });

/** Returns the name of a type's schema: `ContentPublishedEvent` for `content.published`. */
const schemaName = (type: string) =>
  `${type.replace(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Event`;

/** Returns the schema of the request body for an event of this type (Standard Webhooks: type, timestamp, data). */
export function payloadSchemaOf(type: AnyEventType): z.ZodObject {
  const { data, example } = allEvents[type];
  const payload = { type: z.literal(type), timestamp: timestampText, data: z.object({ site, ...data.shape }) };
  const shown = { type, timestamp: sample.at, data: { site: { id: sample.id, slug: 'demo' }, ...example } };
  return z.object(payload).meta({ id: schemaName(type), example: shown });
}
