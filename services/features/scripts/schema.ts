import { z } from 'zod';
import { isHttpUrl } from '../../core/http-url.ts';
import { sample } from '../../core/sample.ts';
import { nameText, text, timestampText } from '../../core/schema.ts';

const maxCodeLength = 1_000_000;

const position = z.enum(['head', 'body_end']);
const src = text(2048).refine((value) => /^https:/i.test(value) && isHttpUrl(value), 'must be an https URL');
const code = text(maxCodeLength, 1).refine(
  (value) => !/<\/script|<!--/i.test(value),
  'must not contain </script or <!--, which would end or change its element',
);

export const createScriptBody = z
  .strictObject({
    name: nameText,
    position: position.default('head'),
    src: src.nullish().describe('An https URL; give exactly one of `src` and `code`'),
    code: code.nullish().describe('JavaScript without `<script>`; give exactly one of `src` and `code`'),
  })
  .refine(({ src, code }) => (src == null) !== (code == null), {
    path: ['src'],
    message: 'give exactly one of src and code',
  })
  .meta({
    id: 'CreateScriptBody',
    example: { name: 'Counter', position: 'head', src: 'https://stats.example.com/count.js' },
  });

export const updateScriptBody = z
  .strictObject({
    name: nameText.optional(),
    position: position.optional(),
    src: src.nullish(),
    code: code.nullish(),
  })
  .meta({ id: 'UpdateScriptBody', example: { position: 'body_end' } });
export const readOnlyScriptMembers = ['id', 'created_at'] as const;

export const scriptRecord = z
  .object({
    id: z.uuid(),
    name: z.string(),
    position,
    src: z.string().nullable(),
    code: z.string().nullable(),
    created_at: timestampText,
  })
  .meta({
    id: 'Script',
    example: {
      id: sample.id,
      name: 'Counter',
      position: 'head',
      src: 'https://stats.example.com/count.js',
      code: null,
      created_at: sample.at,
    },
  });
