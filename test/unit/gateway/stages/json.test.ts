import { describe, expect, test } from '@jest/globals';
import { parseJson, readJson } from '../../../../services/gateway/stages/json.ts';

const read = (text: string | Buffer) => parseJson(Buffer.from(text as string));
const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

function refusal(text: string | Buffer): { code: string; details: unknown } | null {
  try {
    read(text);
    return null;
  } catch (error) {
    const { code, details } = error as { code: string; details: unknown };
    return { code, details };
  }
}

test('an object comes back as it is', () => {
  expect(read('{"a":[1,{"b":null}],"body_html":"x"}')).toEqual({ a: [1, { b: null }], body_html: 'x' });
  expect(read('{}')).toEqual({});
});

test.each(['', '{', '{"a":}', 'nul', '{"a":1}x'])('%j is malformed', (text) => {
  expect(refusal(text)).toEqual({ code: 'malformed_json', details: [{ path: '', message: 'is not valid JSON' }] });
});

test.each(['[]', 'null', '1', '"a"', 'true'])('%s is no object', (text) => {
  expect(refusal(text)).toEqual({
    code: 'validation_failed',
    details: [{ path: '', message: 'The body must be a JSON object' }],
  });
});

describe('what could do harm is refused and named:', () => {
  test.each([
    ['NUL in a member', '{"a":{"b":["x","\\u0000"]}}', 'a.b.1', 'must not contain NUL'],
    ['NUL in a name', '{"a":{"\\u0000":1}}', 'a', 'must not contain NUL'],
    ['a lone surrogate', '{"a":"\\ud800"}', 'a', 'must be valid Unicode text (no lone surrogates, no invalid UTF-8)'],
    ['__proto__', '{"a":{"__proto__":{}}}', 'a.__proto__', 'is not a member that can be set'],
    ['__proto__ at the top', '{"__proto__":{}}', '__proto__', 'is not a member that can be set'],
    ['body_html that is no text', '{"body_html":["\\u0000"]}', 'body_html.0', 'must not contain NUL'],
    ['NUL in a body_html of no item', '{"s":{"body_html":"\\u0000"}}', 's.body_html', 'must not contain NUL'],
    [
      'NUL in one of an item that is no item',
      '{"items":[{"body_html":"\\u0000"}]}',
      'items.0.body_html',
      'must not contain NUL',
    ],
    ['NUL in a member that begins like body_html', '{"body_html_":"\\u0000"}', 'body_html_', 'must not contain NUL'],
    ['a number that is read as infinite', '{"a":{"b":[1e400]}}', 'a.b.0', 'is a number out of range'],
    ['one below all others', '{"a":-1e400}', 'a', 'is a number out of range'],
  ])('%s', (_what, text, path, message) => {
    expect(refusal(text)).toEqual({ code: 'validation_failed', details: [{ path, message }] });
  });

  test('bytes that are not UTF-8', () => {
    const bytes = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
    expect(refusal(bytes)?.details).toMatchObject([{ path: 'a' }]);
  });

  test('nesting deeper than 64 levels, and no less', () => {
    expect(refusal(nested(63))).toBeNull();
    expect(refusal(nested(64))).toMatchObject({
      code: 'validation_failed',
      details: [{ message: 'is nested deeper than 64 levels' }],
    });
    const long = `{"${'x'.repeat(300)}":${nested(64)}}`;
    const deep = refusal(long) as { details: { path: string }[] };
    expect(deep.details[0]!.path.length).toBeLessThanOrEqual(200);
  });
});

// rule: threat.27
test('a large body is read as a small one is, with room for others between the steps', async () => {
  const large = (text: string) => readJson(Buffer.from(`${text}${' '.repeat(300_000)}`));
  const order: string[] = [];
  setImmediate(() => order.push('another request'));
  await expect(large('{"a":[1],"body_html":"\\u0000"}')).resolves.toEqual({ a: [1], body_html: '\0' });
  expect(order).toEqual(['another request']);
  await expect(large('{')).rejects.toMatchObject({ code: 'malformed_json' });
  await expect(large('{"a":"\\u0000"}')).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(readJson(Buffer.from('{"a":1}'))).resolves.toEqual({ a: 1 });
});

test('dirt in body_html is left to the sanitizer', () => {
  expect(read('{"body_html":"a\\u0000\\ud800b"}')).toEqual({ body_html: 'a\0\ud800b' });
  const bytes = Buffer.from([...Buffer.from('{"body_html":"'), 0xff, ...Buffer.from('"}')]);
  expect(read(bytes)).toEqual({ body_html: '\ud800' });
  // the sanitizer is told about bytes that are not UTF-8; a replacement character that was sent stays
  expect(read('{"body_html":"\ufffd"}')).toEqual({ body_html: '\ufffd' });
});

test('what is in a member that is judged apart is left to whoever judges it, and nothing else', () => {
  const apart = (text: string) => parseJson(Buffer.from(text), 'items');
  expect(apart('{"items":["\\u0000",{"a":1e400}],"b":1}')).toEqual({ items: ['\0', { a: Infinity }], b: 1 });
  for (const text of ['{"items":[],"b":"\\u0000"}', '{"items":[],"__proto__":{}}', '{"b":{"items":"\\u0000"}}'])
    expect(() => apart(text)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

// rule: threat.27
describe('a text of more values than any request has is refused before it is read', () => {
  const size = 4 * 1024 * 1024;
  const fill = (piece: string) => piece.repeat(size / piece.length - 8);
  const tooMany = [{ path: '', message: 'must not contain more than 35000 values' }];
  test.each([
    ['numbers', fill('0,')],
    ['objects', fill('{"b":1},')],
    ['nested lists', fill('[')],
    ['texts', fill('"\\\\",')],
  ])('%s', (_name, values) => {
    // a parser would find that it is truncated
    expect(refusal(`{"a":[${values}`)).toEqual({ code: 'validation_failed', details: tooMany });
  });

  test('but not one of long texts that look like many', () => {
    const text = fill('[,{\\"');
    expect(read(JSON.stringify({ a: text.slice(0, 1_000_000) }))).toHaveProperty('a');
    expect(read(`{"a":[${'0,'.repeat(34_000)}0]}`).a).toHaveLength(34_001);
  });
});
