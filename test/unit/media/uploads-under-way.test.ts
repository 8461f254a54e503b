import { expect, test } from '@jest/globals';
import { enterUpload } from '../../../services/features/media/under-way.ts';

// rule: threat.6
test('one user may have 64 uploads under way in a process; another user has their own, and a place is free again', () => {
  const owner = {};
  const leave = Array.from({ length: 64 }, () => enterUpload(owner, 'ada'));
  expect(() => enterUpload(owner, 'ada')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  enterUpload(owner, 'bob')();
  leave.pop()!();
  leave.push(enterUpload(owner, 'ada'));
  expect(() => enterUpload(owner, 'ada')).toThrow('64 uploads in progress');
  for (const one of leave) one();
  enterUpload(owner, 'ada')();
});
