import { expect, jest, test } from '@jest/globals';

// Simulates a machine whose own IP address is public, because test machines need not have one.
jest.unstable_mockModule('node:os', () => ({
  networkInterfaces: () => ({
    lo: [{ address: '127.0.0.1' }],
    eth0: [{ address: '8.8.8.8' }, { address: '2001:4860:4860:0:0:0:0:8888' }, { address: 'no address' }],
    none: undefined,
  }),
}));
const { isPublicAddress } = await import('../../../services/engines/fetch/address.ts');

test("a machine's own public addresses are not to be connected to, however they are written", () => {
  expect(['8.8.8.8', '2001:4860:4860::8888', '2001:4860:4860:0::8888'].filter(isPublicAddress)).toEqual([]);
  expect(['8.8.8.9', '2001:4860:4860::8889'].every(isPublicAddress)).toBe(true);
});
