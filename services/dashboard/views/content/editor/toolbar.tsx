import type { Editor } from '@tiptap/core';
import type { LucideIcon } from 'lucide-react';
import Bold from 'lucide-react/icons/bold';
import Code from 'lucide-react/icons/code';
import Component from 'lucide-react/icons/component';
import Image from 'lucide-react/icons/image';
import Italic from 'lucide-react/icons/italic';
import Link from 'lucide-react/icons/link';
import List from 'lucide-react/icons/list';
import ListOrdered from 'lucide-react/icons/list-ordered';
import Minus from 'lucide-react/icons/minus';
import Redo2 from 'lucide-react/icons/redo-2';
import Strikethrough from 'lucide-react/icons/strikethrough';
import Table from 'lucide-react/icons/table';
import TextQuote from 'lucide-react/icons/text-quote';
import Underline from 'lucide-react/icons/underline';
import Undo2 from 'lucide-react/icons/undo-2';
import { useCallback, useSyncExternalStore } from 'react';
import { Group } from 'react-aria-components/Group';
import { Separator } from 'react-aria-components/Separator';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Toolbar as AriaToolbar } from 'react-aria-components/Toolbar';
import { Button, IconButton } from '../../../parts/button.tsx';
import type { EditorDialog } from './dialogs.tsx';
import { strings } from './strings.ts';
import { tableActions } from './table.ts';

const blockNames = ['paragraph', 'heading2', 'heading3', 'heading4', 'codeBlock'] as const;
type BlockName = (typeof blockNames)[number];

const toggles: readonly [name: string, label: string, icon: LucideIcon, run: (editor: Editor) => unknown][] = [
  ['bold', strings.bold, Bold, (editor) => editor.chain().focus().toggleBold().run()],
  ['italic', strings.italic, Italic, (editor) => editor.chain().focus().toggleItalic().run()],
  ['underline', strings.underline, Underline, (editor) => editor.chain().focus().toggleUnderline().run()],
  ['strike', strings.strike, Strikethrough, (editor) => editor.chain().focus().toggleStrike().run()],
  ['code', strings.code, Code, (editor) => editor.chain().focus().toggleCode().run()],
  ['blockquote', strings.quote, TextQuote, (editor) => editor.chain().focus().toggleBlockquote().run()],
  ['bulletList', strings.bulletList, List, (editor) => editor.chain().focus().toggleBulletList().run()],
  ['orderedList', strings.orderedList, ListOrdered, (editor) => editor.chain().focus().toggleOrderedList().run()],
];

/** The style of the block with the cursor. */
function blockAt(editor: Editor): BlockName | 'other' {
  const { type, attrs } = editor.state.selection.$from.parent;
  const name = type.name === 'heading' ? `heading${attrs['level']}` : type.name;
  return (blockNames as readonly string[]).includes(name) ? (name as BlockName) : 'other';
}

function setBlock(editor: Editor, name: string): void {
  const chain = editor.chain().focus();
  if (name === 'paragraph') chain.setParagraph().run();
  if (name === 'codeBlock') chain.setCodeBlock().run();
  if (name.startsWith('heading')) chain.setHeading({ level: Number(name.at(-1)) as 2 | 3 | 4 }).run();
}

/** What the toolbar shows, as one text: React draws it again only when it changes, and not for every letter. */
const describe = (editor: Editor): string =>
  [
    blockAt(editor),
    Number(editor.isActive('table')),
    Number(editor.isActive('link')),
    Number(editor.can().undo()),
    Number(editor.can().redo()),
    ...toggles.map(([name]) => Number(editor.isActive(name))),
  ].join();

function useToolbarState(editor: Editor) {
  const subscribe = useCallback(
    (listener: () => void) => {
      editor.on('transaction', listener);
      return () => void editor.off('transaction', listener);
    },
    [editor],
  );
  const [block, table, link, undo, redo, ...active] = useSyncExternalStore(subscribe, () => describe(editor)).split(
    ',',
  );
  const isOn = (value: string | undefined) => value === '1';
  return {
    block: block as BlockName | 'other',
    isInTable: isOn(table),
    isLink: isOn(link),
    canUndo: isOn(undo),
    canRedo: isOn(redo),
    isActive: (index: number) => isOn(active[index]),
  };
}

/** The buttons of the editor. The arrow keys move between them. */
export function Toolbar({ editor, open }: { editor: Editor; open: (dialog: EditorDialog) => void }) {
  const state = useToolbarState(editor);
  return (
    <div className="rich-text-bars">
      <AriaToolbar aria-label={strings.toolbar} className="rich-text-bar">
        <select
          aria-label={strings.blockType}
          value={state.block}
          onChange={(event) => setBlock(editor, event.target.value)}
        >
          {blockNames.map((name) => (
            <option key={name} value={name}>
              {strings.blocks[name]}
            </option>
          ))}
          {state.block === 'other' && <option value="other">{strings.blocks.other}</option>}
        </select>
        <Separator orientation="vertical" />
        <Group>
          {toggles.map(([name, label, Icon, run], index) => (
            <ToggleButton
              key={name}
              className="icon-button"
              aria-label={label}
              isSelected={state.isActive(index)}
              onChange={() => void run(editor)}
            >
              <Icon aria-hidden size={17} />
            </ToggleButton>
          ))}
        </Group>
        <Separator orientation="vertical" />
        <Group>
          <ToggleButton
            className="icon-button"
            aria-label={strings.link}
            isSelected={state.isLink}
            onChange={() => open({ kind: 'link' })}
          >
            <Link aria-hidden size={17} />
          </ToggleButton>
          <IconButton label={strings.image} onPress={() => open({ kind: 'image' })}>
            <Image aria-hidden size={17} />
          </IconButton>
          <IconButton label={strings.table} onPress={() => void tableActions.insert(editor)}>
            <Table aria-hidden size={17} />
          </IconButton>
          <IconButton label={strings.component} onPress={() => open({ kind: 'component' })}>
            <Component aria-hidden size={17} />
          </IconButton>
          <IconButton label={strings.rule} onPress={() => void editor.chain().focus().setHorizontalRule().run()}>
            <Minus aria-hidden size={17} />
          </IconButton>
        </Group>
        <Separator orientation="vertical" />
        <Group>
          <IconButton label={strings.undo} isDisabled={!state.canUndo} onPress={() => void editor.commands.undo()}>
            <Undo2 aria-hidden size={17} />
          </IconButton>
          <IconButton label={strings.redo} isDisabled={!state.canRedo} onPress={() => void editor.commands.redo()}>
            <Redo2 aria-hidden size={17} />
          </IconButton>
        </Group>
      </AriaToolbar>
      {state.isInTable && <TableBar editor={editor} />}
    </div>
  );
}

const TableBar = ({ editor }: { editor: Editor }) => (
  <AriaToolbar aria-label={strings.tableBar} className="rich-text-bar">
    {(['addRow', 'addColumn', 'toggleHeader', 'deleteRow', 'deleteColumn', 'deleteTable'] as const).map((name) => (
      <Button
        key={name}
        variant="quiet"
        onPress={() => {
          tableActions[name](editor);
          editor.commands.focus();
        }}
      >
        {strings[name]}
      </Button>
    ))}
  </AriaToolbar>
);
