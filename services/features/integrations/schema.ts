import { z } from 'zod';
import { sample } from '../../core/sample.ts';
import { nameText, text, timestampText } from '../../core/schema.ts';
import { maxSlugLength } from '../../core/slug.ts';
import { mapperNames } from './mapper-names.ts';

/** spec: Webhook integration. */
export const integrationSlugPattern = /^[a-z0-9-]+$/;

const slug = text(maxSlugLength, 1).regex(integrationSlugPattern, 'must be lowercase letters, digits and hyphens');

export const createIntegrationBody = z
  .strictObject({
    mapper: z.enum(mapperNames),
    slug: slug.optional().describe('Unique in the whole service; derived from the name when absent'),
    name: nameText.optional(),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'CreateWebhookBody', example: { mapper: 'autoseo', name: 'News feed' } });
export type CreateIntegration = z.output<typeof createIntegrationBody>;

export const updateIntegrationBody = z
  .strictObject({ name: nameText.optional(), enabled: z.boolean().optional() })
  .meta({ id: 'UpdateWebhookBody', example: { enabled: false } });
export type UpdateIntegration = z.output<typeof updateIntegrationBody>;

export const readOnlyOnCreate = ['id', 'url', 'created_at'] as const;
/** Includes the secret, which the responses to create and rotate contain. */
export const readOnlyOnUpdate = [...readOnlyOnCreate, 'slug', 'mapper', 'secret', 'previous_valid_until'] as const;

const integrationExample = {
  id: sample.id,
  slug: 'news-feed',
  name: 'News feed',
  mapper: 'autoseo',
  enabled: true,
  url: `${sample.url}/webhooks/news-feed`,
  created_at: sample.at,
};

export const integrationRecord = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    mapper: z.enum(mapperNames),
    enabled: z.boolean(),
    url: z.url().describe('The URL that deliveries are sent to'),
    created_at: timestampText,
  })
  .meta({ id: 'Webhook', example: integrationExample });

export const createdIntegrationRecord = integrationRecord
  .extend({
    secret: z.string().describe('The signing secret; shown here and by the command line'),
  })
  .meta({ id: 'WebhookWithSecret', example: { ...integrationExample, secret: 'whsec_shown_once' } });

export const rotatedIntegrationRecord = createdIntegrationRecord
  .extend({
    previous_valid_until: timestampText.describe('Until then the previous secret is accepted too'),
  })
  .meta({
    id: 'RotatedWebhook',
    example: { ...integrationExample, secret: 'whsec_shown_once', previous_valid_until: sample.at },
  });
