import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { createTurns } from '../../../../services/gateway/stages/turns.ts';

const response = () => new EventEmitter() as ServerResponse;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function enter(turns: ReturnType<typeof createTurns>) {
  const res = response();
  const state = { res, result: 'waiting' };
  turns.take(res).then(
    () => {
      state.result = 'runs';
    },
    (error: { code: string }) => {
      state.result = error.code;
    },
  );
  return state;
}

test('so many run at once, the others in the order they came', async () => {
  const turns = createTurns({ capacity: 2, maxWaiting: 50 });
  const all = [1, 2, 3, 4].map(() => enter(turns));
  const states = async () => {
    await settled();
    return all.map(({ result }) => result);
  };
  expect(await states()).toEqual(['runs', 'runs', 'waiting', 'waiting']);
  all[1]!.res.emit('close');
  expect(await states()).toEqual(['runs', 'runs', 'runs', 'waiting']);
  all[0]!.res.emit('close');
  all[2]!.res.emit('close');
  expect(await states()).toEqual(['runs', 'runs', 'runs', 'runs']);
});

test('who leaves while waiting does not get a turn, and does not hold one', async () => {
  const turns = createTurns({ capacity: 1, maxWaiting: 50 });
  const [first, leaver, last] = [enter(turns), enter(turns), enter(turns)];
  leaver!.res.emit('close');
  first!.res.emit('close');
  await settled();
  expect([leaver!.result, last!.result]).toEqual(['bad_request', 'runs']);
});

test('too many waiting are sent away', async () => {
  const turns = createTurns({ capacity: 1, maxWaiting: 50 });
  for (let n = 0; n < 51; n++) enter(turns);
  await expect(turns.take(response())).rejects.toMatchObject({ code: 'unavailable' });
});

// rule: threat.7
test('who has left before asking for a turn does not hold one for ever', async () => {
  const turns = createTurns({ capacity: 1, maxWaiting: 50 });
  await expect(turns.take(Object.assign(response(), { closed: true }))).rejects.toMatchObject({ code: 'bad_request' });
  const next = enter(turns);
  await settled();
  expect(next.result).toBe('runs');
});
