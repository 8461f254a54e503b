import { expect, test } from '@jest/globals';
import { createOutput, describeReady } from '../../../services/cli/up/output.ts';

const result = {
  url: 'http://localhost:8080',
  edge_url: 'http://localhost:8081',
  ops_url: 'http://localhost:9090',
  data: '/srv/data',
};
const signIn = { email: 'admin@localhost', link: 'http://localhost:8080/dashboard/link#token' };

test('what people read on a terminal has the link, and ends with ready', () => {
  const text = describeReady(result, signIn);
  expect(text).toContain(signIn.link);
  expect(text).toContain("fieldstone users link admin@localhost --data '/srv/data'");
  expect(text.endsWith('\nready')).toBe(true);
});

test('what people read has the configuration of a client of agents', () => {
  const line = describeReady(result)
    .split('\n')
    .find((text) => text.includes('mcpServers'))!;
  expect(JSON.parse(line).mcpServers.fieldstone).toEqual({ type: 'http', url: 'http://localhost:8080/mcp' });
});

test('without a terminal, or as JSON, there is no link to print: the output may be kept in a file', () => {
  const isTTY = process.stdout.isTTY;
  try {
    Object.assign(process.stdout, { isTTY: true });
    expect([createOutput(false).isTerminal, createOutput(true).isTerminal]).toEqual([true, false]);
    Object.assign(process.stdout, { isTTY: undefined });
    expect(createOutput(false).isTerminal).toBe(false);
  } finally {
    Object.assign(process.stdout, { isTTY });
  }
  expect(describeReady(result)).not.toContain('link');
});
