import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { twigLanguage } from '../../../../services/dashboard/parts/code-editor/twig.ts';

const starter = path.join(import.meta.dirname, '../../../../services/features/shell/starter/files');
const describe = (text: string) => twigLanguage.parser.parse(text).toString();

test.each([
  ["{{ a ? 'x' : b }}", 'Template(Tag(Delimiter,Name,Operator,String,Operator,Name,Delimiter))'],
  [
    '{% for k, v in page.tags|first %}',
    'Template(Tag(Delimiter,TagName,Name,Operator,Name,Word,Name,Operator,Member,Operator,Filter,Delimiter))',
  ],
  [
    '{{ {a: {b: 1}} }}x',
    'Template(Tag(Delimiter,Bracket,Name,Operator,Bracket,Name,Operator,Number,Bracket,Bracket,Delimiter),Text)',
  ],
  ["{{ '}}' }}", 'Template(Tag(Delimiter,String,Delimiter))'],
  ['{{- asset("a.css") -}}', 'Template(Tag(Delimiter,Callee,Bracket,String,Bracket,Delimiter))'],
  ['a{# {{ b }} #}c', 'Template(Text,Comment,Text)'],
  [
    '{% verbatim %}{{ x }}{% endverbatim %}',
    'Template(Tag(Delimiter,TagName,Delimiter),Text,Tag(Delimiter,TagName,Delimiter))',
  ],
  ['{% set a # a comment\n = 1 %}', 'Template(Tag(Delimiter,TagName,Name,Comment,Operator,Number,Delimiter))'],
  ['<p>{{ a', 'Template(Text,Tag(Delimiter,Name))'],
  ['{% if a } %}b', 'Template(Tag(Delimiter,TagName,Name,Bracket,Delimiter),Text)'],
])('%s is read as tags and text', (text, expected) => {
  expect(describe(text)).toBe(expected);
});

test('HTML around and between tags is one document, so that a tag in an attribute does not end it', () => {
  const names: string[] = [];
  const text = '<p class="{{ a ? \'x\' : "y" }}"><b>{{ c }}</b></p>';
  const at = twigLanguage.parser.parse(text).resolveInner(text.indexOf('<b') + 1, 1);
  for (let node: typeof at | null = at; node; node = node.parent) names.push(node.name);
  expect(names.filter((name) => name === 'Element')).toHaveLength(2);
});

test('templates of the starter shell have no part that is not understood', () => {
  const files = readdirSync(starter, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.twig'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(path.join(starter, file), 'utf8');
    const tree = twigLanguage.parser.parse(text);
    expect([file, tree.length]).toEqual([file, text.length]);
    tree.iterate({ enter: ({ type, from }) => expect([file, from, type.isError]).toEqual([file, from, false]) });
  }
});
