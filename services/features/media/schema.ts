import { z } from 'zod';
import { statuses } from '../../core/content-fields.ts';
import { sample } from '../../core/sample.ts';
import { pageQuery, text, timestampText, uuidText } from '../../core/schema.ts';
import type { MediaKind } from './row.ts';
import { ReceivedFile } from './upload-form.ts';

const kinds: readonly MediaKind[] = ['image', 'video', 'file'];
const alt = text(2000).nullish().describe('Required for an image unless decorative is true');
const decorative = z.boolean().optional().describe('The image is decorative: its alt text is empty');

const share = z.number().min(0).max(1);
const focalPoint = z
  .strictObject({ x: share, y: share })
  .nullable()
  .describe('The point that stays visible when the image is cropped: from the left and from the top, 0 to 1');

function readKinds(value: string | undefined, ctx: z.RefinementCtx): MediaKind[] | null {
  if (value === undefined) return null;
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(kinds as readonly string[]).includes(name));
  if (unknown === undefined) return [...new Set(names)] as MediaKind[];
  ctx.addIssue({ code: 'custom', message: `takes a comma-separated list of ${kinds.join(', ')}` });
  return z.NEVER;
}

export const libraryQuery = pageQuery.extend({
  kind: z.string().optional().transform(readKinds).describe('image, video or file; separate several with commas'),
  alt: z
    .enum(['missing', 'decorative'])
    .optional()
    .describe(
      '`missing`: images without a written alt text: without any, or with the title of the article that they came with. `decorative`: images said to be decorative',
    ),
});

/** For JSON and forms; `file` can only come from a form, and takes precedence over `url` (spec: Media item). */
const fileMembers = {
  file: z
    .instanceof(ReceivedFile, { error: 'must be sent as multipart/form-data' })
    .optional()
    .meta({ type: 'string', format: 'binary', description: 'The file; in multipart/form-data only' }),
  url: text(8192).optional().describe('Fetched if no file is sent'),
  alt,
  decorative,
  focal_point: focalPoint.optional(),
};

export const createBody = z
  .strictObject(fileMembers)
  .meta({ id: 'UploadMediaBody', example: { url: 'https://images.example.com/cairn.jpg', alt: 'A cairn on a ridge' } });
export type CreateBody = z.output<typeof createBody>;

export const replaceBody = z.strictObject(fileMembers).meta({
  id: 'ReplaceMediaBody',
  example: { url: 'https://images.example.com/cairn-in-snow.jpg', alt: 'A cairn in snow' },
});

export const updateBody = z
  .strictObject({ alt, decorative, focal_point: focalPoint.optional() })
  .meta({ id: 'UpdateMediaBody', example: { alt: 'A cairn on a ridge' } });

/** Members of a record that are ignored in a request body (contract: Conventions). */
export const readOnlyMembers = [
  'id',
  'kind',
  'filename',
  'mime_type',
  'bytes',
  'width',
  'height',
  'duration',
  'status',
  'progress',
  'variants',
  'source_url',
  'sha256',
  'created_at',
  'trashed_at',
  'error',
  'alt_stand_in',
  'previous',
] as const;

const mediaExample = {
  id: sample.id,
  kind: 'image',
  filename: 'cairn.jpg',
  mime_type: 'image/jpeg',
  bytes: 482133,
  width: 2400,
  height: 1600,
  duration: null,
  alt: 'A cairn on a ridge',
  decorative: false,
  focal_point: { x: 0.5, y: 0.3 },
  status: 'ready',
  url: `${sample.url}/media/cairn.jpg`,
  variants: [{ format: 'webp', width: 800, height: 533, bytes: 41230, url: `${sample.url}/media/cairn-800.webp` }],
  source_url: null,
  sha256: sample.sha256,
  created_at: sample.at,
  trashed_at: null,
};

const mediaUseExample = {
  id: sample.other,
  title: 'What a cairn is for',
  type: 'post',
  locale: 'en',
  status: 'published',
  trashed_at: null,
  places: ['body_html', 'featured_media_id'],
};

export const mediaUseRecord = z
  .object({
    id: uuidText.describe('Of the content item'),
    title: z.string(),
    type: z.string(),
    locale: z.string(),
    status: z.enum(statuses),
    trashed_at: timestampText.nullable(),
    places: z
      .array(z.enum(['body_html', 'featured_media_id', 'fields']))
      .describe('The members that name the media item. Values of components are in `body_html`'),
  })
  .meta({ id: 'MediaUse', example: mediaUseExample });

export const mediaRecord = z
  .object({
    id: uuidText,
    kind: z.enum(['image', 'video', 'file']),
    filename: z.string(),
    mime_type: z.string(),
    bytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration: z.number().nullable().describe('Seconds'),
    alt: z.string().nullable(),
    decorative: z.boolean(),
    status: z
      .enum(['processing', 'ready', 'failed'])
      .describe('`ready`: pages can show it; further variants may be added'),
    url: z.url().describe('The original bytes'),
    variants: z.array(z.object({ format: z.string(), width: z.int(), height: z.int(), bytes: z.int(), url: z.url() })),
    source_url: z.string().nullable(),
    sha256: z.string(),
    created_at: timestampText,
    trashed_at: timestampText.nullable(),
    focal_point: focalPoint.optional().describe('Present when one was set'),
    alt_stand_in: z
      .literal(true)
      .optional()
      .describe('Present when no alt text was written: `alt` is the title of the article that the image came with'),
    previous: z
      .object({
        filename: z.string(),
        mime_type: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        replaced_at: timestampText,
      })
      .optional()
      .describe('Present after a replacement: the file that undoing it brings back'),
    progress: z
      .object({ stage: z.enum(['queued', 'variants', 'avif', 'video']), done: z.int(), total: z.int() })
      .optional()
      .describe('Present while variants are being made: the number made and the total'),
    error: z.object({ message: z.string() }).optional().describe('Present when the status is failed'),
  })
  .meta({ id: 'Media', example: mediaExample });
