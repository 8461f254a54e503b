import { z } from 'zod';
import { localeText } from '../../core/locale.ts';
import { nameText, timestampText, uuidText } from '../../core/schema.ts';
import { maxSlugLength } from '../../core/slug.ts';

const maxSettingsBytes = 64 * 1024;
export const settingsTooLarge = `must be at most ${maxSettingsBytes} bytes of JSON`;

/** Whether settings are small enough; what a change has made of them is asked too, or many small ones would grow without end. */
export function fitsSettings(value: Record<string, unknown>): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= maxSettingsBytes;
}

const slug = z
  .string()
  .max(maxSlugLength)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lowercase letters, digits and single hyphens');

const domain = z
  .string()
  .max(253)
  .transform((value) => value.toLowerCase().replace(/\.$/, ''))
  .pipe(
    z
      .string()
      .regex(
        /^(?=.*[a-z])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
        'must be a host name such as www.example.com, without scheme, port or path',
      ),
  );

const settings = z
  .record(z.string(), z.unknown())
  .refine(fitsSettings, settingsTooLarge)
  .refine(
    (value) => [undefined, null, true, false].includes(value.shell_autopublish as boolean),
    'shell_autopublish must be true or false',
  );

export const readOnlySiteMembers = ['id', 'locales', 'url', 'live_release', 'created_at', 'updated_at'] as const;

export const createSiteBody = z.strictObject({
  name: nameText,
  slug: slug.optional(),
  domain: domain.nullish(),
  default_locale: localeText.default('en'),
  settings: settings.default({}),
});

export const updateSiteBody = z.strictObject({
  name: nameText.optional(),
  domain: domain.nullish(),
  default_locale: localeText.optional(),
  settings: settings.optional(),
});

export type CreateSite = z.output<typeof createSiteBody>;
export type UpdateSite = z.output<typeof updateSiteBody>;

export const siteRecord = z.object({
  id: uuidText,
  slug: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  default_locale: z.string(),
  locales: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
  url: z.string(),
  live_release: uuidText.nullable(),
  created_at: timestampText,
  updated_at: timestampText,
});
