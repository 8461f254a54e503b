import { describe, expect, test } from '@jest/globals';
import {
  createTwigEnvironment,
  markSafe,
  type TwigEnvironmentOptions,
  TwigError,
} from '../../../services/twig/index.ts';

type Options = Omit<TwigEnvironmentOptions, 'getSource'>;

function open(templates: Record<string, string>, options: Options = {}) {
  return createTwigEnvironment({
    ...options,
    getSource: (name) =>
      Object.hasOwn(templates, name) ? { source: templates[name]!, hash: `${name}:${templates[name]}` } : null,
  });
}

const render = (source: string, options: Options = {}, context: Record<string, unknown> = {}) =>
  open({ main: source }, options).render('main', context);

describe('host functions', () => {
  const seen: unknown[] = [];
  const functions = {
    see: (args: unknown[], named: Record<string, unknown>) => {
      seen.push({ args, named });
      return null;
    },
    safe: () => markSafe('<b>'),
    unsafe: () => '<b>',
    rows: () => [{ title: '<1>' }, { title: '2' }],
  };

  test('get positional arguments as a list and named ones as a plain object without prototype', () => {
    seen.length = 0;
    render('{% do see(1, [2, {a: "b"}], {limit: 10, deep: {x: [1]}}, size = 3) %}', { functions });
    const [{ args, named }] = seen as [{ args: unknown[]; named: Record<string, unknown> }];
    expect(JSON.parse(JSON.stringify({ args, named }))).toEqual({
      args: [1, [2, { a: 'b' }], { limit: 10, deep: { x: [1] } }],
      named: { size: 3 },
    });
    expect(Object.getPrototypeOf(args[2])).toBeNull();
  });

  test('get back the very object that the context held', () => {
    seen.length = 0;
    const item = { id: 1 };
    render('{% do see(item) %}{% for i in items %}{% do see(i) %}{% endfor %}', { functions }, { item, items: [item] });
    expect((seen as { args: unknown[] }[]).map(({ args }) => args[0] === item)).toEqual([true, true]);
  });

  test('may return safe markup; every other text is escaped', () => {
    expect(render('{{ safe() }}{{ unsafe() }}{{ rows()[0].title }}', { functions })).toBe('<b>&lt;b&gt;&lt;1&gt;');
  });

  test('win over built-in ones', () => {
    expect(render('{{ max(1, 2) }}', { functions: { max: () => 'mine' } })).toBe('mine');
  });

  test('that throw end the render with the place and the cause', () => {
    const cause = new Error('no such asset');
    const functions = {
      asset: () => {
        throw cause;
      },
    };
    try {
      render('one\n  {{ asset("x") }}', { functions });
      throw new Error('not reached');
    } catch (error) {
      expect(error).toBeInstanceOf(TwigError);
      expect(error).toMatchObject({ template: 'main', line: 2, column: 6, message: 'no such asset', cause });
    }
  });

  test('filters and tests of the host get the operand first', () => {
    const options: Options = {
      filters: { wrap: ([value, mark], { twice }) => `${mark}${value}${twice ? mark : ''}` },
      tests: { longer: ([value, size]) => String(value).length > Number(size) },
    };
    expect(render('{{ "a"|wrap("*", twice = true) }}{{ "abc" is longer(2) ? "y" : "n" }}', options)).toBe('*a*y');
  });
});

describe('errors say where', () => {
  const templates = {
    main: 'one\n{% include "inner" %}',
    inner: 'a\nb\n   {{ 1 / zero }}',
    child: '{% extends "layout" %}\n{% block a %}\n{{ nope.x|format(1, 2) }}{{ 5 % 0 }}{% endblock %}',
    layout: '<{% block a %}{% endblock %}>',
    macros: '{% macro a() %}\n\n{{ max([]) }}{% endmacro %}',
    caller: '{% import "macros" as m %}{{ m.a() }}',
    missing: '\n{% include "nope.twig" %}',
  };
  test.each([
    ['main', { template: 'inner', line: 3, column: 9, kind: 'runtime' }],
    ['child', { template: 'child', line: 3, kind: 'runtime' }],
    ['caller', { template: 'macros', line: 3, kind: 'runtime' }],
    ['missing', { template: 'missing', line: 2, kind: 'loader' }],
    ['absent', { template: 'absent', kind: 'loader' }],
  ])('%s', (name, place) => {
    expect(() => open(templates).render(name, { zero: 0 })).toThrow(expect.objectContaining(place));
  });

  test('columns count characters, not bytes', () => {
    const error = open({}).check('{{ "日本語é😀" }}{{ x|nope }}', 'main');
    expect(error).toMatchObject({ line: 1, column: 20 });
  });
});

test('check accepts what compiles and knows the names of the host', () => {
  const environment = open({}, { functions: { posts: () => [] } });
  expect(environment.check('{{ posts() }}', 'a')).toBeNull();
  expect(open({}).check('{{ posts() }}', 'a')).toMatchObject({
    kind: 'syntax',
    message: expect.stringContaining('posts'),
  });
});

test('a template that changes is compiled anew', () => {
  const templates: Record<string, string> = { main: '{% include "part" %}', part: 'one' };
  const environment = open(templates);
  expect(environment.render('main', {})).toBe('one');
  templates['part'] = 'two';
  expect(environment.render('main', {})).toBe('two');
});

test('the blocks of a used template that changes are taken anew', () => {
  const templates: Record<string, string> = {
    main: '{% use "part" %}{{ block("a") }}',
    part: '{% block a %}one{% endblock %}',
  };
  const environment = open(templates);
  expect(environment.render('main', {})).toBe('one');
  templates['part'] = '{% block a %}two{% endblock %}';
  expect(environment.render('main', {})).toBe('two');
});

test('two environments share compiled code but neither functions nor globals', () => {
  const source = '{{ who() }}{{ g }}';
  const one = open({ main: source }, { functions: { who: () => 1 }, globals: { g: 'a' } });
  const two = open({ main: source }, { functions: { who: () => 2 }, globals: { g: 'b' } });
  expect([one.render('main', {}), two.render('main', {}), one.render('main', {})]).toEqual(['1a', '2b', '1a']);
});

test('sources are asked for once per render and name', () => {
  const asked: string[] = [];
  const environment = createTwigEnvironment({
    getSource(name) {
      asked.push(name);
      return { source: name === 'main' ? '{% for i in 1..3 %}{% include "part" %}{% endfor %}' : 'x', hash: name };
    },
  });
  environment.render('main', {});
  expect(asked).toEqual(['main', 'part']);
});

test('rendering changes nothing of the context', () => {
  const context = { list: [3, 1, 2], hash: { b: 1, a: 2 } };
  const copy = structuredClone(context);
  render(
    '{% set list = list|sort %}{% set x = hash|merge({c: 1}) %}{% for list in hash %}{% endfor %}{{ list|reverse|join }}',
    {},
    context,
  );
  expect(context).toEqual(copy);
});

test('"now" is what the host says', () => {
  const nowMs = () => Date.UTC(2020, 1, 29, 12);
  expect(render('{{ "now"|date("c") }} {{ date("+1 year")|date("Y-m-d") }}', { nowMs })).toBe(
    '2020-02-29T12:00:00+00:00 2021-03-01',
  );
});
