import { expect, test } from '@jest/globals';
import { membersOf, namesIn, type TemplateGuide } from '../../../../services/dashboard/views/design/guide.ts';
import { twigContext } from '../../../../services/dashboard/views/design/twig-context.ts';
import { describeTemplates } from '../../../../services/features/shell/describe-templates.ts';
import { describeTwig } from '../../../../services/twig/index.ts';

test.each([
  ['<p>{{ pa', { kind: 'name', typed: 2 }],
  ['{{ page.ti', { kind: 'member', typed: 2, of: 'page' }],
  ['{{ page.seo.', { kind: 'member', typed: 0, of: 'page.seo' }],
  ['{{ page.title|up', { kind: 'filter', typed: 2 }],
  ['{% inc', { kind: 'tag', typed: 3 }],
  ['{%- ', { kind: 'tag', typed: 0 }],
  ['{% if a is not def', { kind: 'test', typed: 3 }],
  ["{% include 'partials/he", { kind: 'template', typed: 11 }],
  ["{{ include('", { kind: 'template', typed: 0 }],
  ["{{ asset('style", { kind: 'asset', typed: 5 }],
  ["{{ component('pri", { kind: 'component', typed: 3 }],
  ["{{ t('All", null],
  ['<p>pa', null],
  ['{{ page }} ti', null],
  ['{# {{ pa', null],
  ["{{ '}}' ~ pa", { kind: 'name', typed: 2 }],
  ['{{ 1', null],
])('at the end of %s', (before, expected) => {
  expect(twigContext(before)).toEqual(expected);
});

test('a template is offered the names of the authoring guide that it has', () => {
  const { variables, functions } = describeTemplates();
  const guide: TemplateGuide = { variables, functions, twig: describeTwig(), components: [] };
  const names = (file: string) => namesIn(guide, file).map(({ label }) => label);
  expect(names('post.twig')).toEqual(expect.arrayContaining(['page', 'site', 'posts', 'asset', 'range']));
  expect(names('post.twig')).not.toContain('pagination');
  expect(names('archive.twig')).toContain('pagination');
  expect(names('partials/head.twig')).toContain('pagination');
  expect(new Set(names('base.twig')).size).toBe(names('base.twig').length);
  expect(membersOf(guide, 'post.twig', 'page').map(({ label }) => label)).toContain('featured_media_id');
  expect(membersOf(guide, 'home.twig', 'page').map(({ label }) => label)).not.toContain('featured_media_id');
  expect(membersOf(guide, 'home.twig', 'loop').map(({ label }) => label)).toContain('first');
  expect(namesIn(guide, 'home.twig').find(({ label }) => label === 'posts')).toMatchObject({
    type: 'function',
    detail: '({limit, tag, locale, offset})',
    info: expect.stringContaining('newest first'),
  });
});
