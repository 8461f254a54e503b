import { z } from 'zod';
import { isHttpUrl } from './http-url.ts';
import { localeText } from './locale.ts';
import { sample } from './sample.ts';
import { anyObject, text, timestamp, timestampText } from './schema.ts';

/** The definition of one field of a content item. `content-model.ts` derives the rest. */
export interface ContentField {
  /** The type of its column. Null: no column; computed for each record. */
  readonly column: 'UUID' | 'INT8' | 'TEXT' | 'TEXT[]' | 'JSONB' | 'TIMESTAMPTZ' | null;
  /** Schema of the value in records, revisions and build inputs, where times are text. */
  readonly value: z.ZodType;
  /** Schema of the value that clients may send. Without it the field is read-only. */
  readonly write?: z.ZodType;
  /** Whether every write of an item sets it. The statements themselves set the other columns. */
  readonly written: boolean;
  /**
   * The value if a create request omits the field, and in revisions from before the field existed. A column has the
   * same default in SQL, which rows of older backups get. Null by default; rules of `write.ts` set the others.
   */
  readonly initial?: unknown;
  /** Whether the JSON record of a revision contains it. The body is stored in separate columns. */
  readonly inRevision: boolean;
  /** Whether API records contain it. */
  readonly inRecord: boolean;
  /** Whether builds read it, so that templates can use it and a change renders the pages that show it again. */
  readonly onPages: boolean;
  /** Whether it may be long: lists count its bytes before they read rows. */
  readonly isLong?: boolean;
  /**
   * The mappers whose payloads may set it (contract: Mappers). A null clears a nullable text, and is ignored otherwise.
   */
  readonly payload?: 'content' | 'article' | 'item';
  /** The value in the example of the OpenAPI document; `initial` by default. */
  readonly example?: unknown;
}

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const;
export type Status = (typeof statuses)[number];

const maxTags = 200;
const uuid = z.uuid().transform((value) => value.toLowerCase());
const warning = z.object({ code: z.string(), message: z.string() });
const itemType = text(64).regex(
  /^[a-z][a-z0-9_-]*$/,
  'must be lowercase letters, digits, _ and -, beginning with a letter',
);
const title = text(2000)
  .refine((value) => value.trim() !== '', 'must not be empty')
  .meta({ pattern: '\\S' });

/**
 * Requires an ASCII host name, because programs read others differently; quotes and invisible characters are not valid
 * in a URL.
 */
const canonicalUrl = text(2048)
  .refine(
    (url) => isHttpUrl(url) && /^https?:\/\/[\w.:[\]-]+([/?#]|$)/i.test(url) && !/[\p{C}"<>]/u.test(url),
    'must be an absolute http(s) URL with an ASCII host name, without credentials, spaces, quotes and angle brackets',
  )
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' });

/** Characters of `fields` as JSON, as they are sent and as they are stored. */
export const maxFieldsLength = 65_536;
/** The schema of the item's type is checked elsewhere, because only the site knows it. */
const customFields = anyObject
  .refine((fields) => JSON.stringify(fields).length <= maxFieldsLength, `must be at most ${maxFieldsLength} characters`)
  .refine((fields) => Object.keys(fields).length <= 200, 'must have at most 200 members');

/** Indexed, which bounds its bytes: at most three per character. */
export const sourceRef = text(800, 1);

const internal = { inRevision: false, inRecord: false, onPages: false } as const;
const shown = { inRevision: true, inRecord: true, onPages: true } as const;
/** A column that the statements set. */
const system = { ...shown, written: false, inRevision: false } as const;
const written = { ...shown, written: true } as const;

/** Defines a required text. */
const requiredText = <W extends z.ZodType>(write: W) =>
  ({ ...written, column: 'TEXT', value: z.string(), write }) as const;
/** Defines a text that a client may set and clear. */
const optionalText = <W extends z.ZodType>(write: W, description?: string) =>
  ({
    ...written,
    column: 'TEXT',
    value: z.string().nullable(),
    write: description === undefined ? write.nullable() : write.nullable().describe(description),
    initial: null,
  }) as const;
const optionalTime = (description: string) =>
  ({
    ...written,
    column: 'TIMESTAMPTZ',
    value: timestampText.nullable(),
    write: timestamp.nullable().describe(description),
    initial: null,
  }) as const;
/** Defines the id of another record of the site. */
const reference = (description: string) =>
  ({
    ...written,
    column: 'UUID',
    value: z.uuid().nullable(),
    write: uuid.nullable().describe(description),
    initial: null,
  }) as const;

/**
 * Every field of a content item, in the order of its columns and of the members of a record. To add one, add an entry
 * here and a migration that adds its column.
 */
export const contentFields = {
  id: { ...system, column: 'UUID', value: z.uuid(), example: sample.id },
  site_id: { ...system, ...internal, column: 'UUID', value: z.uuid() },
  revision: { ...system, column: 'INT8', value: z.int(), inRecord: false },
  type: {
    ...requiredText(
      itemType.describe(
        '`post`, `page` or a type of your own, shown by `{type}.twig`, else `page.twig`. `post` when absent',
      ),
    ),
    initial: 'post',
  },
  title: { ...requiredText(title), example: 'What a cairn is for' },
  slug: {
    ...requiredText(text(2000).nullable().describe('Derived from the title when absent; one in use gets a counter')),
    payload: 'content',
    example: 'what-a-cairn-is-for',
  },
  locale: {
    ...requiredText(localeText.describe('One of the locales of the site. Its default one when absent')),
    example: 'en',
  },
  url: {
    ...system,
    column: null,
    value: z.string().describe('The URL of the item once it is published'),
    onPages: false,
    example: `${sample.url}/posts/what-a-cairn-is-for/`,
  },
  /** Empty if `body_hash` names the object with the body, which is then above 256 KiB. */
  body_html: {
    ...requiredText(
      z
        .string()
        .describe(
          'Sanitized; the authoring guide says what it may contain. Images of the library: `<img src="media:{id}">`',
        ),
    ),
    inRevision: false,
    onPages: false,
    example: '<p>A cairn marks a way.</p>',
  },
  body_hash: { ...written, ...internal, column: 'TEXT', value: z.string().nullable() },
  excerpt: { ...optionalText(text(20_000), 'Plain text'), isLong: true, payload: 'content' },
  author: { ...optionalText(text(1000)), payload: 'content', example: 'Ada Moor' },
  status: {
    ...written,
    column: 'TEXT',
    value: z.enum(statuses),
    write: z.enum(statuses).describe('`draft` when absent. Only `published` items go live'),
    initial: 'draft',
    payload: 'content',
    example: 'published',
  },
  scheduled_at: {
    ...optionalTime(
      'Required with the status `scheduled`: at this time the item becomes published, and the site is published, automatically',
    ),
    payload: 'content',
  },
  published_at: {
    ...optionalTime('Set when the item becomes published, unless it is given'),
    payload: 'article',
    example: sample.at,
  },
  featured_media_id: reference('The `id` of an image of the library'),
  seo_title: { ...optionalText(text(2000)), payload: 'article' },
  seo_description: { ...optionalText(text(20_000)), isLong: true, payload: 'article' },
  canonical_url: optionalText(
    canonicalUrl,
    "What the item's page names as canonical, for example where the text appeared first. Null: its own URL",
  ),
  tags: {
    ...written,
    column: 'TEXT[]',
    value: z.array(z.string()),
    write: z.array(text(200, 1)).max(maxTags).describe('Any words'),
    initial: [] as string[],
    isLong: true,
    example: ['paths'],
  },
  fields: {
    ...written,
    column: 'JSONB',
    value: z.record(z.string(), z.unknown()),
    write: customFields.describe(
      'Fields of your own, as the schema of the type says (`putType`); {} without one. A request replaces them as a whole',
    ),
    initial: {},
    isLong: true,
    payload: 'item',
  },
  /** JSON pointers of the texts in `fields` that were sanitized as HTML when they were written. */
  html_fields: {
    ...written,
    ...internal,
    inRevision: true,
    onPages: true,
    column: 'TEXT[]',
    value: z.array(z.string()),
    initial: [] as string[],
  },
  /** The namespace of the reference: '' for API clients, else the id of an integration. */
  source_scope: { ...written, ...internal, inRevision: true, column: 'TEXT', value: z.string(), initial: '' },
  source_ref: {
    ...optionalText(sourceRef, 'Your own name for the item, unique in the site, for `putContentByRef`'),
    example: 'cms-1042',
  },
  translation_of: reference(
    'The `id` of the item in the default locale that this one is a translation of: one per locale, another one outside the trash is 409',
  ),
  warnings: {
    ...written,
    ...internal,
    inRevision: true,
    inRecord: true,
    column: 'JSONB',
    value: z.array(warning).describe('What was removed from the body and the fields when they were last written'),
    isLong: true,
    example: [{ code: 'inline_style_removed', message: 'Removed the inline style from <p> (line 1, column 1).' }],
  },
  /** The user who created it; null if no user did, or before this was recorded. */
  created_by: { ...system, ...internal, column: 'UUID', value: z.uuid().nullable() },
  created_at: { ...system, column: 'TIMESTAMPTZ', value: timestampText, example: sample.at },
  updated_at: { ...system, column: 'TIMESTAMPTZ', value: timestampText, example: sample.at },
  /** Shown only in records of the trash. */
  trashed_at: { ...system, ...internal, column: 'TIMESTAMPTZ', value: timestampText.nullable(), example: sample.at },
} as const satisfies Record<string, ContentField>;
