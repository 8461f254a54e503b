import { describe, expect, test } from '@jest/globals';
import { countTogether } from '../../../../services/gateway/stages/limit.ts';

interface Count {
  key: string;
  requests: number;
  end(verdicts: string[]): void;
  fail(error: Error): void;
}

function counted() {
  const counts: Count[] = [];
  const count = countTogether(
    (key, requests) =>
      new Promise<string[]>((end, fail) => {
        counts.push({ key, requests, end, fail });
      }),
  );
  return { counts, count };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('requests of one client', () => {
  test('that come while one is being counted are counted together, each with its own verdict in their order', async () => {
    const { counts, count } = counted();
    const replies = ['a', 'a', 'a'].map((key) => count(key));
    expect(counts.map(({ requests }) => requests)).toEqual([1]);
    counts[0]!.end(['first']);
    await settled();
    expect(counts.map(({ requests }) => requests)).toEqual([1, 2]);
    const late = count('a');
    counts[1]!.end(['second', 'third']);
    await settled();
    counts[2]!.end(['fourth']);
    expect(await Promise.all([...replies, late])).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('do not wait for those of another', async () => {
    const { counts, count } = counted();
    void count('a');
    void count('b');
    expect(counts.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('are counted anew after a count that failed, which fails those alone that were in it', async () => {
    const { counts, count } = counted();
    const failed = count('a');
    const next = count('a');
    counts[0]!.fail(new Error('down'));
    await expect(failed).rejects.toThrow('down');
    counts[1]!.end(['counted']);
    expect(await next).toBe('counted');
    const last = count('a');
    counts[2]!.end(['again']);
    expect(await last).toBe('again');
  });
});
