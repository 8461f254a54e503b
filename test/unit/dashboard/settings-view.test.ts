import { describe, expect, test } from '@jest/globals';
import { addHost, hostsOf, promoteHost, removeHost } from '../../../services/dashboard/views/settings/hosts.ts';
import { reverseOf } from '../../../services/dashboard/views/settings/site-data.ts';
import {
  changedSettings,
  menuOf,
  mergePatchOf,
  otherSettings,
  parseObject,
} from '../../../services/dashboard/views/settings/starter-settings.ts';

const at = '2026-01-01T00:00:00Z';
const site = {
  id: '0b6c1c1e-0000-4000-8000-000000000001',
  slug: 'demo',
  name: 'Demo',
  domain: 'www.a.example',
  aliases: ['a.example', 'b.example'],
  domain_proof: {
    name: '_fieldstone.www.a.example',
    value: 'fieldstone-site=1',
    proven_at: at,
    aliases: [
      { name: '_fieldstone.a.example', proven_at: null },
      { name: '_fieldstone.b.example', proven_at: at },
    ],
  },
  default_locale: 'en',
  locales: ['en'],
  settings: {},
  url: 'https://www.a.example/',
  live_release: null,
  created_at: at,
  updated_at: at,
};

describe('hosts', () => {
  test('the main host is first, and only unproven ones have the record that they need', () => {
    expect(hostsOf(site)).toEqual([
      { name: 'www.a.example', isMain: true, provenAt: at },
      {
        name: 'a.example',
        isMain: false,
        provenAt: null,
        record: { name: '_fieldstone.a.example', value: 'fieldstone-site=1' },
      },
      { name: 'b.example', isMain: false, provenAt: at },
    ]);
    expect(hostsOf({ ...site, domain_proof: null })[1]).toEqual({ name: 'a.example', isMain: false });
    expect(hostsOf({ ...site, domain: null, aliases: [], domain_proof: null })).toEqual([]);
  });

  test('the first host that is added is the main one, a later one an alias', () => {
    expect(addHost({ ...site, domain: null, aliases: [] }, 'c.example')).toEqual({ domain: 'c.example', aliases: [] });
    expect(addHost(site, 'c.example').aliases).toEqual(['a.example', 'b.example', 'c.example']);
  });

  test('a promoted alias changes places with the main host', () => {
    const { domain, aliases } = promoteHost(site, 'b.example');
    expect([domain, aliases]).toEqual(['b.example', ['www.a.example', 'a.example']]);
  });

  test('in place of a removed main host the first alias becomes the main one', () => {
    expect(removeHost(site, 'www.a.example')).toEqual({ domain: 'a.example', aliases: ['b.example'] });
    expect(removeHost(site, 'b.example')).toEqual({ domain: 'www.a.example', aliases: ['a.example'] });
    expect(removeHost({ ...site, aliases: [] }, 'www.a.example')).toEqual({ domain: null, aliases: [] });
  });
});

describe('settings', () => {
  test('only edited fields are sent, and an emptied one removes its setting', () => {
    const before = { tagline: { de: 'Hallo' }, footer: 'End', accent: 'teal', posts_per_page: 5 };
    expect(changedSettings(before, { footer: 'End', accent: 'lichen', posts_per_page: '5' })).toEqual({});
    expect(changedSettings(before, { tagline: 'Hi', accent: 'rust' })).toEqual({
      tagline: 'Hi',
      footer: null,
      accent: 'rust',
      posts_per_page: null,
    });
  });

  test('a menu that the form cannot show is one of the other settings', () => {
    const nav = [{ label: 'About', url: '/about/' }];
    expect([menuOf({ nav }), menuOf({}), menuOf({ nav: [{ ...nav[0], icon: 'x' }] })]).toEqual([nav, [], undefined]);
    expect(otherSettings({ nav, own: 1, tagline: 'x' })).toEqual({ own: 1 });
    expect(otherSettings({ nav: 'all' })).toEqual({ nav: 'all' });
  });

  test('the change of JSON is a merge patch, which removes members at any depth', () => {
    const before = { kept: 1, gone: 2, deep: { a: 1, b: 2 }, list: [1, 2] };
    const after = { kept: 1, deep: { a: 1, c: { d: 3 } }, list: [2], added: true };
    expect(mergePatchOf(before, after)).toEqual({
      gone: null,
      deep: { b: null, c: { d: 3 } },
      list: [2],
      added: true,
    });
  });

  test('what undoes a change removes what it added, at any depth', () => {
    const before = { ...site, settings: { deep: { a: 1 }, kept: 1 } };
    const after = { ...site, name: 'New', settings: { deep: { a: 2, b: 3 }, kept: 1, added: 1 } };
    const change = { name: 'New', settings: { deep: { a: 2, b: 3 }, added: 1 } };
    expect(reverseOf(before, change, after)).toEqual({
      name: 'Demo',
      settings: { deep: { a: 1, b: null }, added: null },
    });
  });

  test('a text that is not a JSON object is undefined', () => {
    expect([parseObject(''), parseObject('{"a":1}'), parseObject('[]'), parseObject('{'), parseObject('null')]).toEqual(
      [{}, { a: 1 }, undefined, undefined, undefined],
    );
  });
});
