import { Metadata } from '@tus/utils';
import { z } from 'zod';
import { invalid, type Problem, problem } from '../../../core/errors.ts';
import { text } from '../../../core/schema.ts';
import { check } from '../../../core/validate.ts';

const flag = z
  .enum(['true', '1', 'false', '0'])
  .transform((value) => value === 'true' || value === '1')
  .optional();

const withoutNul = (value: string) => !value.includes('\0');
const nul = 'must not contain NUL';

/**
 * The metadata of an upload (contract: Beyond the specification). Clients send other members, such as `filetype`, which
 * are ignored: the bytes decide.
 */
const uploadMetadata = z.object({
  site: z.string('is required').refine(withoutNul, nul),
  filename: z.string().refine(withoutNul, nul).default('file'),
  alt: text(2000).refine(withoutNul, nul).optional(),
  decorative: flag,
});

export type UploadMetadata = z.output<typeof uploadMetadata>;

/** Checks metadata, stored or as sent by a client. Throws `validation_failed`. */
export function readMetadata(values: Record<string, string | null>): UploadMetadata {
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return check(uploadMetadata, present);
}

/** Parses the header `Upload-Metadata`. Throws `validation_failed`. */
export function parseMetadataHeader(header: string | undefined): UploadMetadata {
  let values: Record<string, string | null>;
  try {
    values = Metadata.parse(header);
  } catch {
    throw problem('validation_failed', 'Upload-Metadata must be a list of keys and base64 values.', {
      details: [{ path: 'Upload-Metadata', message: 'must be a list of keys and base64 values' }],
    });
  }
  return readMetadata(values);
}

/** Returns a 422 for a part of a concatenated upload, an unsupported extension of the protocol. */
export function invalidUploadConcat(): Problem {
  return invalid([{ path: 'Upload-Concat', message: 'is not supported: send the file as one upload' }]);
}

/** Returns a 422 for an upload without a length: an empty file is invalid, and a deferred length is not supported. */
export function invalidUploadLength(): Problem {
  return invalid([{ path: 'Upload-Length', message: 'must be given and at least 1' }]);
}
