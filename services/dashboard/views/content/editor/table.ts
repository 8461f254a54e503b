import { type Editor, Extension, mergeAttributes, Node } from '@tiptap/core';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  tableEditing,
  toggleHeaderRow,
} from '@tiptap/pm/tables';
import { attributeOf, hidden } from './nodes.ts';

declare module '@tiptap/core' {
  interface NodeConfig {
    /** What a node is in a table, for prosemirror-tables. */
    tableRole?: string;
  }
}

const spanOf = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: object) => Number(attributeOf(element, name)) || 1,
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
});

/** `lead`: the source text of `<caption>` and `<colgroup>`. */
export const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  tableRole: 'table',
  isolating: true,
  addAttributes() {
    return { lead: hidden('') };
  },
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
  extendNodeSchema: (extension) => ({ tableRole: (extension.config as { tableRole?: string }).tableRole }),
  addProseMirrorPlugins: () => [tableEditing()],
  addKeyboardShortcuts() {
    return {
      Tab: () => moveToCell(this.editor, 1),
      'Shift-Tab': () => moveToCell(this.editor, -1),
    };
  },
});

/** `group`: `thead`, `tbody`, `tfoot`, `none` for a row directly in the table, null for a new row. */
export const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  tableRole: 'row',
  addAttributes() {
    return { group: hidden(null) };
  },
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
});

const cell = (name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    tableRole: name === 'tableCell' ? 'cell' : 'header_cell',
    isolating: true,
    addAttributes() {
      return { colspan: spanOf('colspan'), rowspan: spanOf('rowspan'), colwidth: hidden(null) };
    },
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, mergeAttributes(HTMLAttributes), 0],
  });

export const TableCell = cell('tableCell', 'td');
export const TableHeader = cell('tableHeader', 'th');

function moveToCell(editor: Editor, direction: 1 | -1): boolean {
  const { state, view } = editor;
  if (goToNextCell(direction)(state, view.dispatch)) return true;
  if (direction === -1 || !editor.isActive('table')) return false;
  addRowAfter(state, view.dispatch);
  return goToNextCell(1)(editor.state, view.dispatch);
}

/** Inserts a table with a header row and puts the cursor into its first cell. */
function insertTable(editor: Editor, rows: number, columns: number): boolean {
  const { schema, tr } = editor.state;
  const row = (type: string): DocumentNode =>
    schema.nodes['tableRow']!.create(
      null,
      Array.from({ length: columns }, () => schema.nodes[type]!.createAndFill()!),
    );
  const body = Array.from({ length: rows - 1 }, () => row('tableCell'));
  const table = schema.nodes['table']!.create(null, [row('tableHeader'), ...body]);
  const start = tr.selection.from;
  tr.replaceSelectionWith(table);
  editor.view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(start + 1))).scrollIntoView());
  editor.view.focus();
  return true;
}

/** What the toolbar does with tables. */
export const tableActions = {
  insert: (editor: Editor) => insertTable(editor, 3, 3),
  addRow: (editor: Editor) => addRowAfter(editor.state, editor.view.dispatch),
  addColumn: (editor: Editor) => addColumnAfter(editor.state, editor.view.dispatch),
  deleteRow: (editor: Editor) => deleteRow(editor.state, editor.view.dispatch),
  deleteColumn: (editor: Editor) => deleteColumn(editor.state, editor.view.dispatch),
  toggleHeader: (editor: Editor) => toggleHeaderRow(editor.state, editor.view.dispatch),
  deleteTable: (editor: Editor) => deleteTable(editor.state, editor.view.dispatch),
};

export const Tables = Extension.create({
  name: 'tables',
  addExtensions: () => [Table, TableRow, TableCell, TableHeader],
});
