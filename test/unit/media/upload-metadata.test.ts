import { expect, test } from '@jest/globals';
import { parseMetadataHeader } from '../../../services/features/media/uploads/metadata.ts';

const header = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

test('an upload says where it goes, what it is called and what it shows', () => {
  expect(
    parseMetadataHeader(header({ site: 's', filename: 'a.png', alt: 'A', decorative: '0', filetype: 'x' })),
  ).toEqual({ site: 's', filename: 'a.png', alt: 'A', decorative: false });
});

test.each(['site', 'filename', 'alt'])('NUL in %s is refused and named, before the database refuses it', (member) => {
  const values = { site: 's', filename: 'a.png', alt: 'A', [member]: 'x\0y' };
  expect(() => parseMetadataHeader(header(values))).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      details: [{ path: member, message: 'must not contain NUL' }],
    }),
  );
});
