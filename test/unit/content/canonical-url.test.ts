import { describe, expect, test } from '@jest/globals';
import { checkBody } from '../../../services/core/validate.ts';
import {
  createContentBody,
  readOnlyContentMembers,
  updateContentBody,
  upsertContentBody,
} from '../../../services/features/content/schema.ts';

const bodies = { create: createContentBody, update: updateContentBody, upsert: upsertContentBody };
const read = (body: keyof typeof bodies, canonical_url: unknown) =>
  checkBody(bodies[body], { title: 'T', canonical_url }, readOnlyContentMembers) as { canonical_url?: unknown };

const long = (length: number) => `https://example.org/${'a'.repeat(length - 'https://example.org/'.length)}`;

describe('canonical_url', () => {
  test.each([
    ['https://example.org/a?b=c#d'],
    ['http://example.org'],
    ['HTTPS://Example.ORG:8443/@someone'],
    ['https://xn--bcher-kva.example/größe'],
    ['http://[2001:db8::1]/'],
    [long(2048)],
    [null],
  ])('%p is kept as it is', (url) => {
    for (const body of ['create', 'update', 'upsert'] as const) expect(read(body, url).canonical_url).toBe(url);
  });

  test.each([
    ['javascript:alert(1)'],
    ['JaVaScRiPt://example.org/%0aalert(1)'],
    ['data:text/html,x'],
    ['ftp://example.org/'],
    ['//example.org/'],
    ['/posts/a/'],
    ['example.org/a'],
    ['https:example.org'],
    ['https:///example.org'],
    ['https://'],
    ['https://?x'],
    ['https://user@example.org/'],
    ['https://user:secret@example.org/'],
    ['https://:@example.org/'],
    ['https://example.org\\@evil.example/'],
    [' https://example.org/'],
    ['https://example.org/a b'],
    ['https://example.org/\n'],
    ['https://example.org/\u00a0'],
    ['https://example.org/\u202egpj.exe'],
    ['https://example.org/\u200b'],
    ['https://example.org/"><script>'],
    ['https://bücher.example/'],
    ['https://еxample.org/'],
    ['https://ｅxample.org/'],
    ['https://ex%61mple.org/'],
    ['https://example.org:99999/'],
    ['https://exa mple.org/'],
    ['https://[::1/'],
    [''],
    [long(2049)],
    [7],
    [true],
    [['https://example.org/']],
    [{ href: 'https://example.org/' }],
  ])('%p is refused, and the member is named', (url) => {
    for (const body of ['create', 'update', 'upsert'] as const) {
      let thrown: unknown;
      try {
        read(body, url);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ status: 422, code: 'validation_failed' });
      expect((thrown as { details: { path: string }[] }).details.map(({ path }) => path)).toContain('canonical_url');
    }
  });
});
