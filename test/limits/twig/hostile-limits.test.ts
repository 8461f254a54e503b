import { describe, expect, test } from '@jest/globals';
import { createTwigEnvironment, TwigError, type TwigLimits } from '../../../services/twig/index.ts';

const limits: Partial<TwigLimits> = {
  maxOutputBytes: 100_000,
  maxSteps: 200_000,
  maxDepth: 50,
  maxSources: 20,
  // never reached: other limits end a template here, on however slow a machine
  timeoutMs: 60_000,
};

function attempt(templates: Record<string, string>, more: Partial<TwigLimits> = {}): TwigError | string {
  const environment = createTwigEnvironment({
    getSource: (name) => (Object.hasOwn(templates, name) ? { source: templates[name]!, hash: templates[name]! } : null),
    limits: { ...limits, ...more },
  });
  try {
    return environment.render('main', {});
  } catch (error) {
    return error as TwigError;
  }
}

const nested = (depth: number, open: string, middle: string, close: string) =>
  open.repeat(depth) + middle + close.repeat(depth);

const bombs: [string, Record<string, string>][] = [
  ['a giant range', { main: '{% for i in 0..1000000000 %}x{% endfor %}' }],
  ['a giant range by function', { main: '{{ range(0, 1e+9)|length }}' }],
  ['a range with a tiny step', { main: '{{ range(0, 1, 0.0000000001)|length }}' }],
  ['a range without end', { main: '{{ range(0, 1e+400)|length }}' }],
  ['nested loops', { main: nested(6, '{% for i in 0..999 %}', '', '{% endfor %}') }],
  ['nested loops that print', { main: nested(3, '{% for i in 0..99 %}', 'xxxxxxxxxx', '{% endfor %}') }],
  ['an include of itself', { main: '{% include "main" %}' }],
  ['an include function of itself', { main: '{{ include("main") }}' }],
  ['two includes of each other', { main: '{% include "b" %}', b: '{% include "main" %}' }],
  ['an embed of itself', { main: '{% embed "main" %}{% endembed %}' }],
  ['a template that extends itself', { main: '{% extends "main" %}' }],
  ['two templates that extend each other', { main: '{% extends "b" %}', b: '{% extends "main" %}' }],
  ['a dynamic parent that is the template', { main: '{% extends _self %}' }],
  ['a block that calls itself', { main: '{% block a %}{{ block("a") }}{% endblock %}' }],
  [
    'two blocks that call each other',
    { main: '{% block a %}{{ block("b") }}{% endblock %}{% block b %}{{ block("a") }}{% endblock %}' },
  ],
  ['a macro that calls itself', { main: '{{ _self.a() }}{% macro a() %}{{ _self.a() }}{% endmacro %}' }],
  [
    'a macro that calls itself twice',
    {
      main: '{{ _self.a(40) }}{% macro a(n) %}{% if n > 0 %}{{ _self.a(n - 1) }}{{ _self.a(n - 1) }}{% endif %}{% endmacro %}',
    },
  ],
  ['a use of itself', { main: '{% use "main" %}{% block a %}{% endblock %}' }],
  [
    'template_from_string in a loop',
    { main: '{% for i in 1..100 %}{{ include(template_from_string("{{ " ~ i ~ " }}")) }}{% endfor %}' },
  ],
  [
    'a text that doubles by concat',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% set x = x ~ x %}{% endfor %}' },
  ],
  [
    'a text that doubles by capture',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% set x %}{{ x }}{{ x }}{% endset %}{% endfor %}' },
  ],
  [
    'a text that doubles by interpolation',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% set x = "#{x}#{x}" %}{% endfor %}' },
  ],
  [
    'a text that doubles by join',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% set x = [x, x]|join %}{% endfor %}' },
  ],
  [
    'a text that doubles by replace',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% set x = x|replace({"x": "xx"}) %}{% endfor %}' },
  ],
  [
    'a text that doubles by format',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% set x = "%s%s"|format(x, x) %}{% endfor %}' },
  ],
  ['a text that doubles by reduce', { main: '{{ (1..60)|reduce((x, i) => x ~ x, "xxxxxxxx") }}' }],
  [
    'a text that grows by nl2br',
    { main: '{% set x = "\\n" %}{% for i in 1..60 %}{% set x = (x ~ x)|nl2br %}{% endfor %}' },
  ],
  [
    'a list that doubles by merge',
    { main: '{% set x = [1] %}{% for i in 1..60 %}{% set x = x|merge(x) %}{% endfor %}' },
  ],
  [
    'a list that doubles by spread',
    { main: '{% set x = [1] %}{% for i in 1..60 %}{% set x = [...x, ...x] %}{% endfor %}' },
  ],
  [
    'a list that doubles in itself, printed as JSON',
    { main: '{% set x = [1] %}{% for i in 1..60 %}{% set x = [x, x] %}{% endfor %}{{ x|json_encode }}' },
  ],
  [
    'a hash that doubles in itself, as a query',
    { main: '{% set x = {a: 1} %}{% for i in 1..60 %}{% set x = {a: x, b: x} %}{% endfor %}{{ x|url_encode }}' },
  ],
  [
    'a deep list compared with itself',
    {
      main: '{% set x = [1] %}{% set y = [1] %}{% for i in 1..40 %}{% set x = [x, x] %}{% set y = [y, y] %}{% endfor %}{{ x == y ? 1 }}',
    },
  ],
  ['a giant batch filler', { main: '{{ [1]|batch(1000000000, "x")|length }}' }],
  ['a giant width in a format', { main: '{% for i in 1..50 %}{{ "%09999d"|format(1) }}{% endfor %}' }],
  ['a giant number of decimals', { main: '{% for i in 1..2000 %}{{ 1|number_format(1000000) }}{% endfor %}' }],
  [
    'a giant glue',
    { main: '{% set g = "x" %}{% for i in 1..15 %}{% set g = g ~ g %}{% endfor %}{{ (1..10000)|join(g) }}' },
  ],
  [
    'a filter in a filter in a filter',
    { main: '{{ (0..999)|map(a => (0..999)|map(b => (0..999)|map(c => c)|length)|length)|length }}' },
  ],
  ['some in some', { main: '{{ (0..9999) has some (a => (0..9999) has every (b => b < 0 or true) and false) }}' }],
  [
    'output in an endless number of small pieces',
    { main: '{% for i in 0..1999 %}{% for j in 0..99 %}{{ i }}{% endfor %}{% endfor %}' },
  ],
  [
    'a text that doubles by assignment',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% do x = x ~ x %}{% endfor %}' },
  ],
  [
    'a list that doubles by destructuring',
    { main: '{% set x = [1] %}{% for i in 1..60 %}{% do [x] = [[...x, ...x]] %}{% endfor %}' },
  ],
  [
    'assignments in arrow functions in arrow functions',
    { main: '{{ (0..999)|map(a => n = (0..999)|map(b => m = (0..999)|map(c => c)|length)|length)|length }}' },
  ],
  ['an arrow function that invokes itself', { main: '{% do f = x => f|invoke(x) %}{{ f|invoke(1) }}' }],
  ['an include_only of itself', { main: '{{ include_only("main") }}' }],
  [
    'attributes that double by html_attr_merge',
    { main: '{% set x = {c: [1]} %}{% for i in 1..60 %}{% do x = x|html_attr_merge(x) %}{% endfor %}' },
  ],
  [
    'an attribute that doubles by html_attr',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% do x = html_attr({x: [x, x]}) %}{% endfor %}' },
  ],
  [
    'typed attributes that double',
    {
      main: '{% set x = [1]|html_attr_type("cst") %}{% for i in 1..60 %}{% do {a: x} = {a: x}|html_attr_merge({a: x}) %}{% endfor %}',
    },
  ],
  [
    'a list that doubles in itself, in a data attribute',
    { main: '{% set x = [1] %}{% for i in 1..60 %}{% do x = [x, x] %}{% endfor %}{{ html_attr({"data-x": x}) }}' },
  ],
  [
    'class variants of many variants',
    {
      main: '{% set c = (0..9999)|map(i => "x") %}{% set a = html_cva(c, {}, [{class: c}]) %}{% for i in 0..999 %}{% do a.apply({}) %}{% endfor %}',
    },
  ],
  [
    'compound variants with many choices',
    {
      main: '{% set n = (0..999)|map(i => "x") %}{% set a = html_cva("", {}, (0..999)|map(i => {k: n, class: "c"})) %}{{ a.apply({k: "y"}) }}',
    },
  ],
  [
    'a list sorted by the rules of a locale, again and again',
    { main: '{% set l = 0..9999 %}{% for i in 0..999 %}{% do l|sort_localized %}{% endfor %}' },
  ],
  [
    'a list of a locale that is too long',
    { main: '{% set x = "xxxxxxxx" %}{% for i in 1..60 %}{% do x = [x, x]|format_list %}{% endfor %}' },
  ],
  ['a page that is too long at once', { main: `${'x'.repeat(100_001)}` }],
];

// rule: threat.20
describe('what has no end is ended', () => {
  test.each(bombs)('%s', (_name, templates) => {
    const result = attempt(templates);
    expect(result).toBeInstanceOf(TwigError);
    expect((result as TwigError).kind).toBe('limit');
    expect((result as TwigError).message).toMatch(/template|page|list|text|value|step|time|long|deep/i);
  });
});

const deepTexts: [string, string][] = [
  ['parentheses', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`],
  ['lists', `{{ ${'['.repeat(20_000)}${']'.repeat(20_000)} }}`],
  ['unary operators', `{{ ${'-'.repeat(20_000)}1 }}`],
  ['a long sum', `{{ ${'1 + '.repeat(50_000)}1 }}`],
  ['tags', nested(20_000, '{% if true %}', 'x', '{% endif %}')],
  ['a chain of members', `{{ a${'.b'.repeat(50_000)} }}`],
  ['a chain of filters', `{{ a${'|raw'.repeat(50_000)} }}`],
  ['arrow functions', `{{ ${'x => '.repeat(20_000)}1 }}`],
  ['assignments', `{{ ${'a = '.repeat(20_000)}1 }}`],
  ['assignments in parentheses', `{{ ${'(a = '.repeat(20_000)}1${')'.repeat(20_000)} }}`],
  ['lists that might be taken apart', `{{ ${'[a, '.repeat(20_000)}1${']'.repeat(20_000)} }}`],
  ['a list taken apart into very many names', `{% do [${'a, '.repeat(100_000)}b] = [] %}`],
];

// rule: threat.20
describe('what nests without end does not end the process', () => {
  test.each(deepTexts)('%s', (_name, source) => {
    const result = attempt({ main: source });
    if (result instanceof TwigError) expect(['limit', 'syntax']).toContain(result.kind);
    else expect(result.length).toBeLessThan(1_000);
  });
});

test('an error in a limit names the template and the line', () => {
  const error = attempt({ main: '{% include "b" %}', b: 'one\n{% for i in 0..999999999 %}{% endfor %}' }) as TwigError;
  expect({ template: error.template, line: error.line }).toEqual({ template: 'b', line: 2 });
});

test('time is bounded, not only steps', () => {
  const error = attempt(
    { main: '{% for i in 0..9999 %}{% for j in 0..9999 %}{% endfor %}{% endfor %}' },
    { timeoutMs: 50, maxSteps: 1e15 },
  ) as TwigError;
  expect(error.kind).toBe('limit');
});

test('a page of exactly the permitted length is rendered', () => {
  expect(attempt({ main: 'x'.repeat(100_000) })).toHaveLength(100_000);
  expect(attempt({ main: '{% for i in 1..1000 %}0123456789{% endfor %}' })).toHaveLength(10_000);
});

test('the next render starts with fresh limits', () => {
  const environment = createTwigEnvironment({
    getSource: (name) => ({ source: name === 'good' ? 'fine' : '{% include "bad" %}', hash: name }),
    limits,
  });
  expect(() => environment.render('bad', {})).toThrow(TwigError);
  expect(environment.render('good', {})).toBe('fine');
});
