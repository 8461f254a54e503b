import { afterEach, describe, expect, test } from '@jest/globals';
import { createTwigEnvironment, markSafe, TwigError } from '../../../services/twig/index.ts';

class Secret {
  password = 'hunter2';
  read() {
    return this.password;
  }
}

const context = {
  plain: { a: 1 },
  list: [1, 2, 3],
  text: 'text',
  number: 5,
  safe: markSafe('<b>'),
  date: new Date(0),
  map: new Map([['a', 1]]),
  secret: new Secret(),
  call: () => 'called',
  bare: Object.assign(Object.create(null), { a: 1 }),
  regex: /x/,
  buffer: Buffer.from('bytes'),
};

function render(template: string, more: Record<string, unknown> = {}): string {
  const environment = createTwigEnvironment({
    getSource: (name) => (name === 'main' ? { source: template, hash: template } : null),
    functions: { give: () => 'given', echo: ([value]) => value },
  });
  return environment.render('main', { ...context, ...more });
}

afterEach(() => {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const targets = [
  'plain',
  'list',
  'text',
  'number',
  'safe',
  'date',
  'map',
  'secret',
  'call',
  'bare',
  'regex',
  'buffer',
  'give',
  'nope',
];
const members = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupGetter__',
];

// rule: threat.17
describe('nothing is reached through inherited members', () => {
  test.each(targets.flatMap((target) => members.map((member) => [target, member])))('%s.%s', (target, member) => {
    const accesses = [
      `${target}.${member}`,
      `${target}["${member}"]`,
      `attribute(${target}, "${member}")`,
      `${target}.${member}()`,
    ];
    for (const access of accesses) {
      expect(render(`[{{ ${access} }}]`)).toBe('[]');
      expect(render(`{{ ${access} is null ? "null" : "value" }}`)).toBe('null');
    }
    expect(render(`{{ ${target}.${member} is defined ? "defined" : "no" }}`)).toBe('no');
  });
});

const nothing: [string, string, string][] = [
  ['the constructor of a constructor', '{{ "".constructor.constructor("return process")() }}', 'syntax'],
  ['a chain through a list', '{{ [].constructor.constructor("return 1")() }}', 'syntax'],
  ['a chain through a filter', '{{ ("a"|split("")).constructor }}', ''],
  ['a key built from pieces', '{{ plain["const" ~ "ructor"] }}', ''],
  ['a key from a variable', '{% set k = "__proto__" %}{{ plain[k] }}', ''],
  ['a key as a list', '{{ attribute(plain, "constructor")|length }}', '0'],
  ['an element of a list by method name', '{{ list.push(4) }}{{ list|length }}', '3'],
  ['the length member of a list', '{{ list.length }}', ''],
  ['the length member of a text', '{{ text.length }}', ''],
  ['a member of a class instance', '{{ secret.password }}{{ secret.read }}{{ secret.read() }}', ''],
  ['a loop over a class instance', '{% for v in secret %}{{ v }}{% else %}none{% endfor %}', 'none'],
  ['the keys of a class instance', '{{ secret|keys|length }}', '0'],
  ['the source of a function', '{{ call.name }}{{ call.call }}{{ call() is defined ? 1 : 0 }}', 'syntax'],
  ['the bytes of a buffer', '{{ buffer[0] }}{{ buffer|length }}', 'error'],
  ['a getter defined by a hash', '{% set h = {"__proto__": {polluted: 1}} %}{{ h.polluted }}{{ plain.polluted }}', ''],
  ['a prototype set by a merge', '{{ ({a: 1}|merge({"__proto__": {polluted: 1}})).polluted }}', ''],
  ['a prototype set by map keys', '{{ {"__proto__": 1, "constructor": 2}|keys|join(",") }}', '__proto__,constructor'],
  ['a variable named __proto__', '{% set __proto__ = {polluted: 1} %}{{ polluted }}{{ __proto__.polluted }}', '1'],
  ['a variable named constructor', '{% set constructor = 5 %}{{ constructor }}', '5'],
  [
    'an undefined variable named like a member',
    '{{ constructor }}{{ toString }}{{ __proto__ }}{{ hasOwnProperty }}',
    '',
  ],
  ['a block named __proto__', '{% block __proto__ %}x{% endblock %}{{ block("__proto__") }}', 'xx'],
  ['a block named constructor', '{% block constructor %}x{% endblock %}{{ block("constructor") }}', 'xx'],
  ['a block that only the prototype has', '{{ block("toString") is defined ? 1 : 0 }}', '0'],
  ['a macro named constructor', '{% macro constructor() %}m{% endmacro %}{{ _self.constructor() }}', 'm'],
  ['a macro that only the prototype has', '{{ _self.toString is defined ? 1 : 0 }}', '0'],
  ['a loop variable named __proto__', '{% for __proto__ in [1] %}{{ __proto__ }}{% endfor %}', '1'],
  ['an include variable named __proto__', '{% with {"__proto__": {polluted: 1}} %}{{ polluted }}{% endwith %}', ''],
  ['the context as a hash', '{{ _context.constructor }}{{ _context["__proto__"] }}', ''],
  ['the loop object', '{% for i in [1] %}{{ loop.constructor }}{{ loop.__proto__ }}{% endfor %}', ''],
  ['the arrow function as a value', '{% set f = x => x %}{{ f.constructor }}{{ f.call }}', ''],
  ['an arrow parameter named __proto__', '{{ [1]|map(__proto__ => __proto__)|join }}', '1'],
  ['a column by inherited name', '{{ [plain]|column("constructor")|length }}', '0'],
  ['a sort by inherited name', '{{ [plain, plain]|sort((a, b) => a.toString <=> b.toString)|length }}', '2'],
  ['a replacement with patterns', '{{ "abc"|replace({"b": "$`$\'$&"}) }}', 'a$`$&#039;$&amp;c'],
  ['a template name with a path', '{{ include("../../etc/passwd", ignore_missing = true) }}', ''],
  ['a source with a path', '{{ source("/etc/passwd", ignore_missing = true) }}', ''],
  ['a constant of the process', '{{ constant("process.env") is defined ? 1 : 0 }}', '0'],
  ['a function of JavaScript', '{{ eval("1") }}', 'syntax'],
  ['require', '{{ require("fs") }}', 'syntax'],
  ['an import of a module', '{% import "node:fs" as fs %}{{ fs.readFileSync() }}', 'error'],
  ['a filter named constructor', '{{ 1|constructor }}', 'syntax'],
  ['a filter named __proto__', '{{ 1|__proto__ }}', 'syntax'],
  ['a function named toString', '{{ toString() }}', 'syntax'],
  ['a function named __proto__', '{{ __proto__() }}', 'syntax'],
  ['a test named constructor', '{{ 1 is constructor }}', 'syntax'],
  ['a tag named constructor', '{% constructor %}', 'syntax'],
  ['a named argument called __proto__', '{{ give(__proto__ = 1) }}', 'given'],
  ['an escaping strategy named constructor', '{{ text|e("constructor") }}', 'error'],
  ['a date zone from the prototype', '{{ 0|date("Y", "__proto__") }}', 'error'],
];

describe('data stays data', () => {
  test.each(nothing)('%s', (_name, template, expected) => {
    if (expected === 'error' || expected === 'syntax') {
      const attempt = () => render(template);
      expect(attempt).toThrow(TwigError);
    } else expect(render(template)).toBe(expected);
  });
});

describe('no text of a template becomes code', () => {
  const breakouts = [
    '";process.exit(1)//',
    '`$' + '{process.exit(1)}`',
    '\\";throw 1;//',
    '*/process.exit()/*',
    '\u2028process.exit()',
    '</script>',
    "');process.exit();('",
  ];
  test.each(breakouts)('%j', (payload) => {
    const quoted = payload.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    expect(render(`{% autoescape false %}{{ "${quoted}" }}{% endautoescape %}`)).toBe(payload);
    expect(render(`{% verbatim %}${payload}{% endverbatim %}`)).toBe(payload);
    expect(render(`{{ {"${quoted}": 1}|keys|first|raw }}`)).toBe(payload);
    expect(render(`{{ plain["${quoted}"] }}`)).toBe('');
  });

  test('names of variables, blocks and macros are only names', () => {
    const name = 'a日本é_1';
    expect(render(`{% set ${name} = 1 %}{% block ${name} %}{{ ${name} }}{% endblock %}`)).toBe('1');
    expect(render(`{% macro ${name}(${name}) %}{{ ${name} }}{% endmacro %}{{ _self.${name}(2) }}`)).toBe('2');
  });

  test('a template name is only a name', () => {
    const environment = createTwigEnvironment({ getSource: (name) => ({ source: '{{ _self|raw }}', hash: name }) });
    expect(environment.render('";process.exit()//', {})).toBe('";process.exit()//');
  });
});

describe('host functions hand over data only', () => {
  const call = (value: unknown) => {
    const environment = createTwigEnvironment({
      getSource: () => ({ source: '{{ give().a }}{{ give() }}', hash: 'give' }),
      functions: { give: () => value },
    });
    return () => environment.render('main', {});
  };

  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a promise', Promise.resolve(1)],
    ['an instance', new Secret()],
  ])('%s is refused', (_name, value) => {
    expect(call(value)).toThrow(TwigError);
  });

  test('an arrow function does not reach the host', () => {
    expect(() => render('{{ echo(x => x) }}')).toThrow(/arrow function/);
  });
});
