import { expect, test } from '@jest/globals';
import { createTwoFilesPatch } from 'diff';
import { readFault } from '../../../../services/dashboard/views/design/faults.ts';
import { pathBelow } from '../../../../services/dashboard/views/design/pages.ts';
import { textBefore } from '../../../../services/dashboard/views/design/snapshots/before.ts';
import { foldersAbove, movesInto, treeOf } from '../../../../services/dashboard/views/design/tree-model.ts';

test('paths are a tree, folders first, then files, each by name', () => {
  expect(treeOf(['style.css', 'fonts/a.woff2', 'partials/x/y.twig', 'partials/a.twig', 'base.twig'])).toEqual([
    { id: 'fonts/', name: 'fonts', children: [{ id: 'fonts/a.woff2', name: 'a.woff2' }] },
    {
      id: 'partials/',
      name: 'partials',
      children: [
        { id: 'partials/x/', name: 'x', children: [{ id: 'partials/x/y.twig', name: 'y.twig' }] },
        { id: 'partials/a.twig', name: 'a.twig' },
      ],
    },
    { id: 'base.twig', name: 'base.twig' },
    { id: 'style.css', name: 'style.css' },
  ]);
  expect(foldersAbove('a/b/c.css')).toEqual(['a/', 'a/b/']);
});

test('a file or a folder moves into another folder, and never into itself', () => {
  const paths = ['base.twig', 'a/x.css', 'a/b/y.css', 'c/z.css'];
  expect(movesInto('c/', 'base.twig', paths)).toEqual([{ from: 'base.twig', to: 'c/base.twig' }]);
  expect(movesInto('', 'a/x.css', paths)).toEqual([{ from: 'a/x.css', to: 'x.css' }]);
  expect(movesInto('c/', 'a/', paths)).toEqual([
    { from: 'a/x.css', to: 'c/a/x.css' },
    { from: 'a/b/y.css', to: 'c/a/b/y.css' },
  ]);
  expect([movesInto('a/', 'a/x.css', paths), movesInto('a/b/', 'a/', paths), movesInto('', 'a/', paths)]).toEqual([
    [],
    [],
    [],
  ]);
});

test.each([
  [
    'home.twig, line 3, column 7: Unknown tag "x".',
    { file: 'home.twig', line: 3, column: 7, message: 'Unknown tag "x".' },
  ],
  ['partials/a.twig, line 12: Bad.', { file: 'partials/a.twig', line: 12, message: 'Bad.' }],
  ['The page /: post.twig, line 3: Bad.', { file: 'post.twig', line: 3, message: 'Bad.' }],
  ['The preview took too long.', null],
])('the place of a fault is read from %s', (message, expected) => {
  expect(readFault(message)).toEqual(expected);
});

test('the text before a difference is found from the present text; not from another one', () => {
  const [before, after] = ['a\nb\nc\n', 'a\nB\nc\nd'];
  const diff = createTwoFilesPatch('a/x', 'b/x', before, after);
  expect(textBefore(after, diff)).toBe(before);
  expect(textBefore('something else', diff)).toBeNull();
  expect(textBefore('', createTwoFilesPatch('a/x', '/dev/null', 'a\n', ''))).toBe('a\n');
});

test('the path of a page is below the root of its site', () => {
  expect(pathBelow('http://localhost:8081/sites/demo/', 'http://localhost:8081/sites/demo/posts/a/')).toBe('/posts/a/');
  expect(pathBelow('https://example.com', 'https://example.com/about/')).toBe('/about/');
});
