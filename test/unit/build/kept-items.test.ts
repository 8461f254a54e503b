import { describe, expect, test } from '@jest/globals';
import {
  createItemReceiver,
  createItemSender,
  type SentItems,
  splitItems,
} from '../../../services/build/render/kept-items.ts';
import { makeItem } from './snapshot.ts';

/** As it arrives in another process. */
const arrive = (sent: SentItems) => structuredClone(sent);

describe('the items of a snapshot', () => {
  test('are sent whole once, and then only those that changed', () => {
    const [sender, receiver] = [createItemSender(), createItemReceiver()];
    const [a, b, c] = [makeItem(), makeItem(), makeItem()];
    expect(receiver.receive(arrive(sender.prepare('site', [a, b, c], false)))).toEqual([a, b, c]);
    const changed = { ...b, revision: 2, title: 'New' };
    const second = sender.prepare('site', [c, changed, a], false);
    expect(second.list).toEqual([[2, 1], changed, [0, 1]]);
    expect(receiver.receive(arrive(second))).toEqual([c, changed, a]);
    const third = sender.prepare('site', [a, changed], false);
    expect(third.list).toEqual([
      [2, 1],
      [1, 1],
    ]);
    expect(receiver.receive(arrive(third))).toEqual([a, changed]);
  });

  test('that follow each other are sent as one run', () => {
    const [sender, receiver] = [createItemSender(), createItemReceiver()];
    const items = Array.from({ length: 9 }, () => makeItem());
    receiver.receive(arrive(sender.prepare('site', items, false)));
    const changed = items.toSpliced(4, 1, makeItem());
    const sent = sender.prepare('site', changed, false);
    expect(sent.list).toEqual([[0, 4], changed[4], [5, 4]]);
    expect(receiver.receive(arrive(sent))).toEqual(changed);
  });

  test('of another site are sent whole, and the renderer keeps nothing of the earlier site', () => {
    const [sender, receiver] = [createItemSender(), createItemReceiver()];
    const [a, b] = [makeItem(), makeItem()];
    const first = arrive(sender.prepare('one', [a], false));
    receiver.receive(first);
    expect(sender.knows('one')).toBe(true);
    const other = sender.prepare('two', [b], false);
    expect(other).toMatchObject({ base: null, list: [b] });
    expect(receiver.receive(arrive(other))).toEqual([b]);
    expect(sender.knows('one')).toBe(false);
    expect(receiver.receive({ base: first.keepAs, parts: 0, list: [[0, 1]], keepAs: null })).toBeNull();
  });

  test('are refused by a renderer that was started again, and then sent whole', () => {
    const sender = createItemSender();
    const a = makeItem();
    createItemReceiver().receive(arrive(sender.prepare('site', [a], false)));
    const restarted = createItemReceiver();
    expect(restarted.receive(arrive(sender.prepare('site', [a], false)))).toBeNull();
    expect(restarted.receive(arrive(sender.prepare('site', [a], true)))).toEqual([a]);
    expect(restarted.receive(arrive(sender.prepare('site', [a], false)))).toEqual([a]);
  });

  test('are sent whole after a call whose outcome is unknown', () => {
    const sender = createItemSender();
    const a = makeItem();
    sender.prepare('site', [a], false);
    sender.forget();
    expect(sender.prepare('site', [a], false)).toMatchObject({ base: null, list: [a] });
  });

  test('are not kept beyond the limit', () => {
    const [sender, receiver] = [createItemSender(1), createItemReceiver()];
    const items = [makeItem(), makeItem()];
    for (let times = 0; times < 2; times++) {
      const sent = sender.prepare('site', items, false);
      expect(sent).toMatchObject({ base: null, keepAs: null });
      expect(receiver.receive(arrive(sent))).toEqual(items);
    }
  });

  test('are sent in parts when they are many, in their order', () => {
    const [sender, receiver] = [createItemSender(), createItemReceiver()];
    const items = Array.from({ length: 4_500 }, () => makeItem());
    const { ahead, rest } = splitItems(sender.prepare('site', items, false));
    expect([...ahead, rest].map(({ list }) => list.length)).toEqual([2_000, 2_000, 500]);
    for (const part of ahead) receiver.add(structuredClone(part));
    expect(receiver.receive(arrive(rest))).toEqual(items);
    const changed = items.toSpliced(3_000, 1, makeItem());
    const second = splitItems(sender.prepare('site', changed, false));
    expect(second.ahead).toEqual([]);
    expect(receiver.receive(arrive(second.rest))).toEqual(changed);
  });

  test('are refused if a part is missing, and parts of a stopped build are not used', () => {
    const [sender, receiver] = [createItemSender(), createItemReceiver()];
    const items = Array.from({ length: 4_500 }, () => makeItem());
    const stopped = splitItems(sender.prepare('site', items, false));
    receiver.add(stopped.ahead[0]!);
    expect(receiver.receive(stopped.rest)).toBeNull();
    receiver.add(stopped.ahead[0]!);
    const small = [makeItem()];
    expect(receiver.receive(sender.prepare('other', small, false))).toEqual(small);
    receiver.add(stopped.ahead[1]!);
    const again = splitItems(sender.prepare('site', items, true));
    for (const part of again.ahead) receiver.add(part);
    expect(receiver.receive(again.rest)).toEqual(items);
  });
});
