import assert from 'node:assert/strict';
import fc from 'fast-check';
import postcss from 'postcss';
import { CompileError } from '../../../services/engines/components/compiled.ts';
import { scopeCss } from '../../../services/engines/components/scope-css.ts';
import {
  createVariablesCheck,
  exampleVariables,
  readVariablesSchema,
  SchemaFault,
} from '../../../services/engines/sandbox/components/variables-schema.ts';
import { createTwigEnvironment, TwigError } from '../../../services/twig/index.ts';
import { starterTemplates } from '../starter.ts';
import { anyText, attempt, damagedText, pieced, target } from '../target.ts';

const twigPieces = [
  ...[
    '{{ ',
    ' }}',
    '{% ',
    ' %}',
    '{# ',
    ' #}',
    '{{-',
    '-%}',
    '~}}',
    '"',
    "'",
    '#{',
    '}',
    '|',
    '.',
    ',',
    '(',
    ')',
    '[',
    ']',
    '{',
    ':',
    '?',
    '??',
    '=>',
  ],
  ...[
    'if x',
    'elseif',
    'else',
    'endif',
    'for i in items',
    'endfor',
    'set a = 1',
    'set a',
    'endset',
    'block b',
    'endblock',
    'macro m(a)',
    'endmacro',
  ],
  ...[
    'import _self as f',
    'include "main"',
    'extends "base"',
    'embed "base"',
    'endembed',
    'apply upper',
    'endapply',
    'autoescape false',
    'endautoescape',
    'verbatim',
    'endverbatim',
    'with {a: 1}',
    'endwith',
    'use "base"',
    'from "base" import m',
  ],
  ...[
    'page.title',
    'items',
    'x',
    'loop.index',
    '_self',
    '_context',
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'site["constructor"]',
    'attribute(x, "constructor")',
  ],
  ...[
    'upper',
    'raw',
    'escape("js")',
    'join(",")',
    'map(v => v.a)',
    'reduce((c, v) => c + v)',
    'slice(0, 3)',
    'date("Y")',
    'format("%s")',
    'batch(2)',
    'sort',
    'merge({a: 2})',
    'replace({a: "b"})',
    'split("")',
    'number_format(2)',
    'striptags',
    'url_encode',
    'json_encode',
  ],
  ...[
    'range(1, 3)',
    'max(1, 2)',
    'cycle(items, 1)',
    'random(items)',
    'dump()',
    'template_from_string("{{ 1 }}")',
    'source("main")',
    'constant("PHP_VERSION")',
    'parent()',
    'block("b")',
  ],
  ...[
    '1',
    '0',
    '1.5',
    '-',
    '+',
    '*',
    '/',
    '//',
    '%',
    '**',
    '..',
    'and',
    'or',
    'not',
    'in',
    'is defined',
    'is empty',
    'is divisible by(2)',
    'starts with',
    'matches "/a/"',
    'b-and',
    '==',
    '<=>',
    'null',
    'true',
  ],
];
const marker = '<evil&"\'>';
const context = {
  page: { title: marker, tags: ['a', marker] },
  items: [{ a: 1 }, { a: marker }, {}],
  x: { y: marker },
  n: 3,
};
const maxOutputBytes = 20_000;

function render(source: string): string | TwigError {
  const templates: Record<string, string> = { main: source, base: '{% block b %}{{ x.y }}{% endblock %}' };
  const environment = createTwigEnvironment({
    getSource: (name) =>
      Object.hasOwn(templates, name) ? { source: templates[name]!, hash: `${name}:${templates[name]}` } : null,
    limits: { maxOutputBytes, maxSteps: 5_000, maxDepth: 20, maxSources: 10, timeoutMs: 2_000 },
    nowMs: () => 1_700_000_000_000,
  });
  const fault = environment.check(source, 'main');
  try {
    const text = environment.render('main', context);
    assert.equal(fault, null);
    return text;
  } catch (error) {
    if (error instanceof TwigError) return error;
    throw error;
  }
}

/** Templates in which nothing requests raw output. */
const unmarked = /raw|autoescape|striptags|json_encode|escape|spaceless|url_encode|nl2br|format|html/;

const cssPieces = [
  'a',
  '.b',
  '{',
  '}',
  ':',
  ';',
  'color:red',
  '@media (min-width:1px)',
  '@import "x.css"',
  '@charset "utf-8"',
  '@font-face',
  '@scope',
  '@layer x',
  '/*',
  '*/',
  '"',
  "'",
  '\\',
  '(',
  ')',
  'url(',
  '</style>',
  '<!--',
  '-->',
  '\n',
  '&',
  '@',
  '!important',
  '@property --x',
  '@namespace x "y"',
];
const topLevel = new Set(['scope', 'import', 'namespace', 'font-face', 'property', 'counter-style']);

const schemaKeys = [
  'type',
  'properties',
  'required',
  'enum',
  'items',
  'default',
  'minimum',
  '$ref',
  '$id',
  '$defs',
  'allOf',
  'anyOf',
  'not',
  'const',
  'additionalProperties',
  'format',
  'examples',
  '$schema',
  'title',
  'x',
  '__proto__',
];
const schemaValue = fc.oneof(
  fc.constantFrom<unknown>(
    'string',
    'object',
    'array',
    'number',
    '#',
    '#/$defs/a',
    'https://x.test/s',
    'date',
    'uri',
    true,
    1,
    null,
    [],
    {},
    ['a', 'b'],
    'https://json-schema.org/draft/2020-12/schema',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const { schema } = fc.letrec<{ schema: Record<string, unknown>; value: unknown }>((tie) => ({
  schema: fc.dictionary(fc.constantFrom(...schemaKeys), tie('value'), { maxKeys: 5 }),
  value: fc.oneof(
    { maxDepth: 3 },
    schemaValue,
    tie('schema'),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
  ),
}));

export const codeTargets = [
  target({
    name: 'twig template',
    inputs: fc.oneof(
      { weight: 3, arbitrary: pieced(twigPieces, 14, anyText(4)) },
      {
        weight: 2,
        arbitrary: fc
          .array(fc.tuple(fc.constantFrom(...twigPieces), fc.constantFrom(...twigPieces)), { maxLength: 5 })
          .map((parts) => parts.map(([a, b]) => `{{ ${a} ${b} }}`).join('')),
      },
      { weight: 1, arbitrary: damagedText(starterTemplates) },
      { weight: 1, arbitrary: anyText(60) },
    ),
    check(source) {
      const shown = render(source);
      assert.deepEqual(Object.keys(Object.prototype), []);
      if (shown instanceof TwigError) {
        assert.ok(['syntax', 'loader', 'runtime', 'limit'].includes(shown.kind) && shown.message !== '');
        assert.ok(
          Number.isInteger(shown.line) && shown.line >= 0 && Number.isInteger(shown.column) && shown.column >= 0,
        );
        assert.ok(!/\.ts\b|node:|\bat \//.test(shown.message), shown.message);
        return;
      }
      assert.ok(Buffer.byteLength(shown) <= maxOutputBytes);
      if (!unmarked.test(source)) assert.ok(!shown.includes('<evil'), shown);
      assert.ok(
        !/\[native code\]|\[object |function \(|=> \{/.test(shown) || /native|object|function|=>/.test(source),
        shown,
      );
    },
    pump: {
      pieces: twigPieces,
      parse: (source) => createTwigEnvironment({ getSource: () => null }).check(source.slice(0, 60_000), 'main'),
    },
  }),
  target({
    name: 'component css',
    inputs: fc.oneof(pieced(cssPieces, 16), anyText(60)),
    check(css) {
      const scoped = attempt(() => scopeCss(css, 'box'), CompileError)?.css ?? null;
      if (scoped === null) return;
      const root = postcss.parse(scoped);
      let scopes = 0;
      root.each((node) => {
        if (node.type === 'comment') return;
        assert.ok(node.type === 'atrule' && topLevel.has(node.name.toLowerCase()), node.type);
        if (node.name === 'scope' && node.params === '([data-component="box"]) to ([data-component])') scopes++;
        else assert.ok(node.name.toLowerCase() !== 'scope');
      });
      assert.ok(scopes <= 1);
    },
    pump: { pieces: cssPieces, parse: (css) => attempt(() => scopeCss(css, 'box'), CompileError) },
  }),
  target({
    name: 'variables schema',
    inputs: fc.tuple(schema, fc.jsonValue({ maxDepth: 3 })),
    check([drawn, vars]) {
      const given = JSON.parse(JSON.stringify(drawn)); // as parsed from a body
      const read = attempt(() => readVariablesSchema(given), SchemaFault);
      if (read === null) return;
      const verdict = createVariablesCheck(read)(structuredClone(vars));
      assert.ok(verdict === null || (typeof verdict === 'string' && verdict !== ''));
      createVariablesCheck(read)(exampleVariables(read));
      assert.deepEqual(Object.keys(Object.prototype), []);
      const text = JSON.stringify(read);
      if (!text.includes('"$id"')) assert.ok(!text.includes('"$ref":"https:'), 'it refers outside');
    },
  }),
];
