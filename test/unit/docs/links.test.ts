import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { pages, readInline, root } from '../../harness/pages.ts';

/** Returns the anchor of a heading, as GitHub and GitLab generate it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test.each(pages)('every link of %s leads somewhere', (page) => {
  const broken = readInline(page)
    .links.filter((link) => !/^(?:https?|mailto):/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(root, target))) return true;
      return anchor !== undefined && !readInline(target).headings.map(anchorOf).includes(anchor);
    });
  expect(broken).toEqual([]);
});
