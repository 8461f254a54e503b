import { z } from 'zod';
import { maxReasons, reasonKinds } from '../../build/format.ts';
import { text } from '../../core/schema.ts';

export const whyQuery = z.object({
  path: text(1000, 1).describe('The path of a page from the root of the site, such as `/` or `/posts/hello/`'),
});

const reason = z.object({
  kind: z
    .enum(reasonKinds)
    .describe(
      [
        '`new`: the replaced release had no such page',
        '`version`: another version of the service made it',
        '`plan`: its template or its place in an archive',
        '`item`, `translations`, `media`: that of `id`',
        '`posts`, `archive`, `post_count`, `pages`: a list that it shows',
        '`template`: that of `name`',
        '`shell_file`: that of `path`',
        '`component`: that of `handle`',
        '`scripts`, `site`, `languages`: those of the site',
        '`target`: a preview became live',
      ].join('; '),
    ),
  id: z.uuid().optional(),
  name: z.string().optional(),
  path: z.string().optional(),
  handle: z.string().optional(),
  locale: z.string().optional(),
  tag: z.string().nullable().optional(),
  offset: z.int().optional(),
  limit: z.int().optional(),
});

export const whyRecord = z
  .object({
    path: z.string(),
    rendered: z
      .boolean()
      .nullable()
      .describe(
        'Whether the build of this release made the page; false: it reused it. Null for a release from before reasons were kept',
      ),
    reasons: z.array(reason).describe(`What had changed since the release that was replaced, at most ${maxReasons}`),
  })
  .meta({
    id: 'PageWhy',
    example: {
      path: '/',
      rendered: true,
      reasons: [
        { kind: 'template', name: 'home.twig' },
        { kind: 'posts', locale: 'en', tag: null, offset: 0, limit: 10 },
      ],
    },
  });
