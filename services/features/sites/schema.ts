import { z } from 'zod';
import { hostNamePattern, isHostName, maxHostNameLength } from '../../core/hosts.ts';
import { localeText } from '../../core/locale.ts';
import { sample } from '../../core/sample.ts';
import { anyObject, nameText, text, timestampText, uuidText } from '../../core/schema.ts';
import { maxSlugLength } from '../../core/slug.ts';

const maxSettingsBytes = 64 * 1024;
export const settingsTooLarge = `must be at most ${maxSettingsBytes} bytes of JSON`;

/** Returns whether settings are small enough; also checked after a merge, since many small changes could add up. */
export function fitsSettings(value: Record<string, unknown>): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= maxSettingsBytes;
}

const slug = text(maxSlugLength).regex(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'must be lowercase letters, digits and single hyphens',
);

const notHostName =
  'must be a host name such as www.example.com: lower case, ASCII (xn--… for other letters), without scheme, port, path or closing dot';

/** A host name in canonical spelling (contract: Domains). */
const hostName = text(maxHostNameLength)
  .regex(hostNamePattern, notHostName)
  .refine((value) => !hostNamePattern.test(value) || isHostName(value), notHostName);

const maxAliases = 20;
const domain = hostName
  .nullish()
  .describe(
    'The host name of the site: lower case, ASCII, without port; unique, and not a host of the service itself. Without one the site is at `/sites/{slug}/` of the edge',
  );
const aliases = z
  .array(hostName)
  .max(maxAliases)
  .describe(
    'Additional host names of that form, unique too, which the edge redirects to `domain` with 301, path and query kept',
  );

const settings = anyObject
  .refine(fitsSettings, settingsTooLarge)
  .refine(
    (value) => [undefined, null, true, false].includes(value.shell_autopublish as boolean),
    'shell_autopublish must be true or false',
  )
  .describe('Any members, for templates; the service uses `shell_autopublish`, the starter shell its own');

export const readOnlySiteMembers = [
  'id',
  'locales',
  'url',
  'live_release',
  'domain_proof',
  'created_at',
  'updated_at',
] as const;

export const createSiteBody = z
  .strictObject({
    name: nameText,
    slug: slug.optional().describe('Derived from the name when absent; cannot be changed'),
    domain,
    aliases: aliases.default([]),
    default_locale: localeText
      .default('en')
      .describe('BCP 47, such as `en` or `pt-BR`. Pages in it have no locale in their path'),
    settings: settings.default({}),
  })
  .meta({
    id: 'CreateSiteBody',
    example: {
      name: 'Demo',
      slug: 'demo',
      domain: 'www.example.com',
      aliases: ['example.com'],
      default_locale: 'en',
    },
  });

export const updateSiteBody = z
  .strictObject({
    name: nameText.optional(),
    domain,
    aliases: aliases.optional(),
    default_locale: localeText.optional().describe('One of the locales of the site'),
    settings: settings.optional(),
  })
  .meta({ id: 'UpdateSiteBody', example: { settings: { accent: 'rust' } } });

export type CreateSite = z.output<typeof createSiteBody>;
export type UpdateSite = z.output<typeof updateSiteBody>;

const aliasProof = z.object({ name: z.string(), proven_at: timestampText.nullable() });

const siteExample = {
  id: sample.id,
  slug: 'demo',
  name: 'Demo',
  domain: 'www.example.com',
  aliases: ['example.com'],
  domain_proof: {
    name: '_fieldstone.www.example.com',
    value: `fieldstone-site=${sample.id}`,
    proven_at: sample.at,
    aliases: [{ name: '_fieldstone.example.com', proven_at: null }],
  },
  default_locale: 'en',
  locales: ['en', 'de'],
  settings: { accent: 'rust' },
  url: `${sample.url}/`,
  live_release: sample.other,
  created_at: sample.at,
  updated_at: sample.at,
};

export const siteRecord = z
  .object({
    id: uuidText,
    slug: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    aliases: z.array(z.string()),
    domain_proof: z
      .object({
        name: z.string(),
        value: z.string(),
        proven_at: timestampText.nullable(),
        aliases: z.array(aliasProof),
      })
      .nullable()
      .describe(
        'With `FIELDSTONE_DOMAIN_PROOF=txt`: the TXT record that `domain` needs before it is served. Each alias needs the same `value` at its own `name`. Null when the setting is `off` or there is no domain',
      ),
    default_locale: z.string(),
    locales: z.array(z.string()),
    settings: z.record(z.string(), z.unknown()),
    url: z.string().describe('The URL for visitors'),
    live_release: uuidText.nullable().describe('Null before the first publish'),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'Site', example: siteExample });
