import type { JSONContent } from '@tiptap/core';
import type { Element } from 'domhandler';
import { rowGroupTags } from './elements.ts';
import { elementsOf, filled, type Source } from './source.ts';

interface Row {
  group: string;
  element: Element;
  cells: Element[];
}

/**
 * Reads a table in which every cell has its place. Others, such as those with rows of different length or with attributes on a row group, are
 * undefined: the editor would change them.
 */
export function readTable(table: Element, html: string, source: Source): JSONContent | undefined {
  const parts = elementsOf(table.children);
  if (!parts) return undefined;
  const leads = parts.filter(({ name }) => name === 'caption' || name === 'colgroup' || name === 'col');
  const others = parts.slice(leads.length);
  if (parts.slice(0, leads.length).some((part) => !leads.includes(part))) return undefined;
  const rows = readRows(others, source);
  if (!rows || rows.length === 0 || !isRegular(rows)) return undefined;
  return {
    type: 'table',
    attrs: { html, lead: leads.map((part) => source.textOf(part)).join('') },
    content: rows.map(({ group, element, cells }) => ({
      type: 'tableRow',
      attrs: { group, html: source.attributesOf(element) },
      content: cells.map((cell) => readCell(cell, source)),
    })),
  };
}

function readRows(parts: readonly Element[], source: Source): Row[] | undefined {
  const rows: Row[] = [];
  const groups = new Set<string>();
  const add = (group: string, element: Element): boolean => {
    const cells = elementsOf(element.children);
    if (element.name !== 'tr' || !cells || cells.length === 0) return false;
    rows.push({ group, element, cells });
    return cells.every(({ name }) => name === 'td' || name === 'th');
  };
  for (const part of parts) {
    if (part.name === 'tr') {
      if (groups.size > 0 || !add('none', part)) return undefined;
      continue;
    }
    const children = elementsOf(part.children);
    const isNext =
      rowGroupTags.includes(part.name) && !groups.has(part.name) && rows.every(({ group }) => group !== 'none');
    if (!isNext || !children || children.length === 0 || source.attributesOf(part) !== '') return undefined;
    groups.add(part.name);
    if (!children.every((row) => add(part.name, row))) return undefined;
  }
  return rows;
}

const spanOf = (cell: Element, name: 'colspan' | 'rowspan'): number => {
  const text = cell.attribs[name] ?? '1';
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN;
};

/** Whether the cells cover every row up to the same width, without gaps and overlaps, and no cell leaves its row group. */
function isRegular(rows: readonly Row[]): boolean {
  const taken = rows.map(() => new Set<number>());
  for (const [index, { cells, group }] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (taken[index]!.has(column)) column++;
      const [width, height] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')];
      if (Number.isNaN(width + height)) return false;
      for (let y = index; y < index + height; y++) {
        if (rows[y]?.group !== group) return false;
        for (let x = column; x < column + width; x++) {
          if (taken[y]!.has(x)) return false;
          taken[y]!.add(x);
        }
      }
    }
  }
  const width = taken[0]!.size;
  return taken.every((columns) => columns.size === width && Math.max(...columns) === width - 1);
}

function readCell(cell: Element, source: Source): JSONContent {
  return {
    type: cell.name === 'th' ? 'tableHeader' : 'tableCell',
    attrs: { colspan: spanOf(cell, 'colspan'), rowspan: spanOf(cell, 'rowspan'), html: source.attributesOf(cell) },
    content: filled(source.readBlocks(cell.children)),
  };
}
