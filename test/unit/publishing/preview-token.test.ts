import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  createPreviewToken,
  previewUrl,
  readPreviewToken,
} from '../../../services/features/publishing/preview-token.ts';

const key = randomBytes(32);
const grant = { siteId: randomUUID(), releaseId: randomUUID(), expiresAt: new Date('2030-01-01T00:00:00Z') };
const now = new Date('2029-12-31T00:00:00Z');

test('a token opens what it was made for', () => {
  expect(readPreviewToken([key], createPreviewToken([key], grant), now)).toEqual(grant);
});

test('a token made under an earlier key opens as long as the key is listed', () => {
  const token = createPreviewToken([key], grant);
  expect(readPreviewToken([randomBytes(32), key], token, now)).toEqual(grant);
  expect(readPreviewToken([randomBytes(32)], token, now)).toBeNull();
});

test('an expired, changed or foreign token opens nothing', () => {
  const token = createPreviewToken([key], grant);
  expect(readPreviewToken([key], token, new Date('2030-01-01T00:00:00Z'))).toBeNull();
  for (let n = 0; n < token.length; n++) {
    const changed = token.slice(0, n) + (token[n] === 'A' ? 'B' : 'A') + token.slice(n + 1);
    expect(readPreviewToken([key], changed, now)).toBeNull();
  }
  for (const wrong of ['', 'x', `${token}=`, `${token}A`, token.slice(1)])
    expect(readPreviewToken([key], wrong, now)).toBeNull();
});

test('a preview address names the edge and ends with a slash', () => {
  const { url, expiresAt } = previewUrl(
    { edgeUrl: 'https://edge.test', secretKeys: [key] },
    grant.siteId,
    grant.releaseId,
    now,
  );
  expect(url).toMatch(/^https:\/\/edge\.test\/previews\/[\w-]+\/$/);
  expect(expiresAt > now).toBe(true);
});
