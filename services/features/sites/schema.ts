import { z } from 'zod';
import { hostNamePattern, isHostName, maxHostNameLength } from '../../core/hosts.ts';
import { localeText } from '../../core/locale.ts';
import { anyObject, nameText, text, timestampText, uuidText } from '../../core/schema.ts';
import { maxSlugLength } from '../../core/slug.ts';

const maxSettingsBytes = 64 * 1024;
export const settingsTooLarge = `must be at most ${maxSettingsBytes} bytes of JSON`;

/** Whether settings are small enough; what a change has made of them is asked too, or many small ones would grow without end. */
export function fitsSettings(value: Record<string, unknown>): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= maxSettingsBytes;
}

const slug = text(maxSlugLength).regex(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'must be lowercase letters, digits and single hyphens',
);

const notHostName =
  'must be a host name such as www.example.com: lower case, ASCII (xn--… for other letters), without scheme, port, path or closing dot';

/** A host name in its one spelling (contract: Domains). */
const hostName = text(maxHostNameLength)
  .regex(hostNamePattern, notHostName)
  .refine((value) => !hostNamePattern.test(value) || isHostName(value), notHostName);

const maxAliases = 20;
const aliases = z.array(hostName).max(maxAliases);

const settings = anyObject
  .refine(fitsSettings, settingsTooLarge)
  .refine(
    (value) => [undefined, null, true, false].includes(value.shell_autopublish as boolean),
    'shell_autopublish must be true or false',
  );

export const readOnlySiteMembers = [
  'id',
  'locales',
  'url',
  'live_release',
  'domain_proof',
  'created_at',
  'updated_at',
] as const;

export const createSiteBody = z.strictObject({
  name: nameText,
  slug: slug.optional(),
  domain: hostName.nullish(),
  aliases: aliases.default([]),
  default_locale: localeText.default('en'),
  settings: settings.default({}),
});

export const updateSiteBody = z.strictObject({
  name: nameText.optional(),
  domain: hostName.nullish(),
  aliases: aliases.optional(),
  default_locale: localeText.optional(),
  settings: settings.optional(),
});

export type CreateSite = z.output<typeof createSiteBody>;
export type UpdateSite = z.output<typeof updateSiteBody>;

const aliasProof = z.object({ name: z.string(), proven_at: timestampText.nullable() });

export const siteRecord = z.object({
  id: uuidText,
  slug: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  aliases: z.array(z.string()),
  domain_proof: z
    .object({ name: z.string(), value: z.string(), proven_at: timestampText.nullable(), aliases: z.array(aliasProof) })
    .nullable(),
  default_locale: z.string(),
  locales: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
  url: z.string(),
  live_release: uuidText.nullable(),
  created_at: timestampText,
  updated_at: timestampText,
});
