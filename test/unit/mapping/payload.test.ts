import { describe, expect, test } from '@jest/globals';
import { Problem } from '../../../services/core/errors.ts';
import { decodeText } from '../../../services/core/stored-json.ts';
import { type MapperName, mapperNames } from '../../../services/features/integrations/mapper-names.ts';
import { mapperOf } from '../../../services/features/mapping/mappers/index.ts';
import { readPayload, UnusablePayload } from '../../../services/features/mapping/mappers/mapper.ts';

const good: Record<MapperName, Record<string, unknown>> = {
  autoseo: { id: 'a1', title: 'T', body_html: '<p>b</p>' },
  create_post: { title: 'T', body_html: '<p>b</p>' },
  create_page: { title: 'T', body_html: '<p>b</p>' },
  import_media: { url: 'https://x.test/a.png' },
  upsert_component: { handle: 'box', type: 'html', source_code: '<b></b>' },
};
const read = (name: MapperName, payload: unknown) => readPayload(mapperOf(name), JSON.stringify(payload));
const keyOf = (name: MapperName, raw: string) => mapperOf(name).keyOf(readPayload(mapperOf(name), raw), raw);

test.each(mapperNames)('%s takes its required members alone, and ignores what it does not know', (name) => {
  expect(() => read(name, { ...good[name], unknown: { deep: [1], nul: '\0' } })).not.toThrow();
  const endless = JSON.stringify(good[name]).replace(/}$/, `,"unknown":${'['.repeat(60_000)}${']'.repeat(60_000)}}`);
  expect(() => readPayload(mapperOf(name), endless)).not.toThrow();
});

describe.each(mapperNames)('%s skips', (name) => {
  // rule: mapping.4
  test.each(Object.keys(good[name]))('a payload without %s, with null, with a wrong type', (member) => {
    const { [member]: _left, ...rest } = good[name];
    for (const value of [undefined, null, true, [], {}]) {
      expect(() => read(name, { ...rest, [member]: value })).toThrow(UnusablePayload);
    }
  });
  test.each(Object.keys(good[name]).filter((member) => member !== 'body_html'))('an empty or blank %s', (member) => {
    for (const value of ['', ' \n'])
      expect(() => read(name, { ...good[name], [member]: value })).toThrow(UnusablePayload);
  });
  test.each(['', '{', '[]', '"x"', 'null', '1', '{"id":1,}'])('%p, which is no JSON object', (raw) => {
    expect(() => readPayload(mapperOf(name), raw)).toThrow(UnusablePayload);
  });
});

test('body_html may be empty', () => {
  expect(() => read('create_post', { title: 'T', body_html: '' })).not.toThrow();
});

describe('what is wrong beyond that is an error, tried again', () => {
  test.each([
    ['a status that there is not', { status: 'live' }],
    ['a slug that is a number', { slug: 5 }],
    ['published_at with an offset', { published_at: '2026-01-01T00:00:00+02:00' }],
    ['a title that is too long', { title: 'x'.repeat(2001) }],
    ['NUL in the title', { title: 'a\0b' }],
    ['half a character in the author', { author: 'a\ud800' }],
  ])('%s', (_name, members) => {
    expect(() => read('autoseo', { ...good.autoseo, ...members })).toThrow(Problem);
  });
  test('dirt in body_html is the sanitizer’s', () => {
    expect(() => read('autoseo', { ...good.autoseo, body_html: 'a\0b\ud800' })).not.toThrow();
  });
  test.each([
    ['NUL below a member', '{"a":{"default":"\\u0000"}}'],
    ['a body_html that is no item’s', '{"a":{"body_html":"\\u0000"}}'],
    ['a number out of range', '{"a":{"default":1e400}}'],
    ['depth', `${'{"not":'.repeat(100)}{}${'}'.repeat(100)}`],
    ['depth without end', `${'{"not":'.repeat(60_000)}{}${'}'.repeat(60_000)}`],
  ])('a schema of variables that cannot be stored: %s', (_name, schema) => {
    const raw = JSON.stringify(good.upsert_component).replace(/}$/, `,"variables_schema":${schema}}`);
    expect(() => readPayload(mapperOf('upsert_component'), raw)).toThrow(Problem);
  });
  test('a component type that there is not', () => {
    expect(() => read('upsert_component', { ...good.upsert_component, type: 'vue' })).toThrow(Problem);
  });
});

describe('keys', () => {
  test.each([
    ['"5"', '5'],
    ['5', '5'],
    ['5.0', '5'],
    ['-7', '-7'],
    ['12345678901234567890', '12345678901234567890'],
    ['12345678901234567891', '12345678901234567891'],
    ['0.5', '0.5'],
  ])('autoseo id %s is keyed as %s', (id, key) => {
    expect(keyOf('autoseo', `{"id": ${id}, "title": "T", "body_html": ""}`)).toBe(key);
  });
  test('create_post is keyed on source_ref when there is one', () => {
    expect(keyOf('create_post', '{"title": "T", "body_html": "", "source_ref": "r"}')).toBe('r');
    for (const ref of ['12345678901234567890', '12345678901234567891', '0']) {
      expect(keyOf('create_post', `{"title": "T", "body_html": "", "source_ref": ${ref}}`)).toBe(ref);
    }
    for (const ref of ['null', '""']) {
      expect(keyOf('create_post', `{"title": "T", "body_html": "", "source_ref": ${ref}}`)).toBeNull();
    }
  });
  test('a member of the same name elsewhere is no key', () => {
    const article = '"id": 12345678901234567890, "title": "T", "body_html": ""';
    const other = '"other": {"id": 12345678901234567891}';
    for (const raw of [`{${article}, ${other}}`, `{${other}, ${article}}`])
      expect(keyOf('autoseo', raw)).toBe('12345678901234567890');
  });
  test('a key that cannot be stored is an error', () => {
    expect(() => keyOf('autoseo', JSON.stringify({ ...good.autoseo, id: 'x'.repeat(1001) }))).toThrow(Problem);
  });
});

describe('decoding', () => {
  test('a byte order mark is no part of the JSON', () => {
    expect(decodeText(Buffer.from('\ufeff{}'))).toBe('{}');
  });
  test('bytes that are no UTF-8 become half characters', () => {
    expect(decodeText(Buffer.from([0x61, 0xff]))).toBe('a\ud800');
  });
});

test('a payload that cannot be used is told what to mend, in our words', () => {
  const raw = (payload: object) => JSON.stringify(payload);
  const reading = (payload: object) => () => readPayload(mapperOf('autoseo'), raw(payload));
  expect(reading({ id: 'a', body_html: '' })).toThrow('title: is required.');
  expect(reading({ title: 'b', body_html: '' })).toThrow('id: is required.');
  expect(reading({ id: null, title: 'b', body_html: '' })).toThrow('id: must be a string or a number.');
  expect(reading({ id: ' ', title: 'b', body_html: '' })).toThrow('id: must not be empty.');
  expect(reading({ id: 'a', title: 'b', body_html: null })).toThrow('body_html: must be a string.');
  expect(reading({ id: 'a', title: ' ', body_html: '' })).toThrow('title: must not be empty.');
});
