import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createPreviewToken, previewUrl, readPreviewToken } from '../../../services/core/preview-token.ts';

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

test('a token opens to the last second', () => {
  const token = createPreviewToken([key], { ...grant, expiresAt: new Date('2030-01-01T00:00:00.999Z') });
  expect(readPreviewToken([key], token, new Date('2029-12-31T23:59:59.999Z'))).toEqual(grant);
  expect(readPreviewToken([key], token, grant.expiresAt)).toBeNull();
});

test('links that were handed out open after an upgrade: the form of tokens does not change', () => {
  const fixed = {
    siteId: '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    releaseId: '00112233-4455-6677-8899-aabbccddeeff',
    expiresAt: grant.expiresAt,
  };
  const token = createPreviewToken([Buffer.alloc(32, 7)], fixed);
  expect(token).toBe('PyUE4E-JEdOaDAMF6CwzAQARIjNEVWZ3iJmqu8zd7v9w29iANCY_fcBydy2l0VxQtUn8rQ');
  expect(readPreviewToken([Buffer.alloc(32, 7)], token, now)).toEqual(fixed);
});

// rule: threat.32
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
  expect(expiresAt.getTime() - now.getTime()).toBe(7 * 24 * 60 * 60 * 1000);
  expect(readPreviewToken([key], url.split('/')[4]!, now)).toEqual({ ...grant, expiresAt });
});
