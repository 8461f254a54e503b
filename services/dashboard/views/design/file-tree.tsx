import ChevronRight from 'lucide-react/icons/chevron-right';
import GripVertical from 'lucide-react/icons/grip-vertical';
import { useEffect, useMemo, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { type Key, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { EmptyState } from '../../parts/empty-state.tsx';
import { strings } from './strings.ts';
import { type TreeDrops, useTreeDrops } from './tree-drops.ts';
import { foldersAbove, type TreeNode, treeOf } from './tree-model.ts';

interface NodeProps {
  node: TreeNode;
  current: string | undefined;
  unsaved: ReadonlySet<string>;
  canMove: boolean;
  onOpen: (path: string) => void;
}

// `Collection` gives each node an id, which must not reach the nodes below it
const Node = ({ node, current, unsaved, canMove, onOpen }: NodeProps) => (
  <TreeItem
    id={node.id}
    textValue={node.name}
    className="tree-item"
    data-current={node.id === current || undefined}
    {...(node.children ? {} : { onAction: () => onOpen(node.id) })}
  >
    <TreeItemContent>
      {node.children ? (
        <Button slot="chevron" className="tree-chevron">
          <ChevronRight aria-hidden size={14} />
        </Button>
      ) : (
        <span className="tree-chevron" />
      )}
      <span className="tree-name">{node.name}</span>
      {unsaved.has(node.id) && (
        <span className="tree-mark">
          <span className="visually-hidden">{strings.unsaved}</span>
        </span>
      )}
      {canMove && (
        <Button slot="drag" className="tree-grip">
          <GripVertical aria-hidden size={14} />
        </Button>
      )}
    </TreeItemContent>
    {node.children && (
      <Collection items={node.children} dependencies={[current, unsaved]}>
        {(child) => <Node node={child} current={current} unsaved={unsaved} canMove={canMove} onOpen={onOpen} />}
      </Collection>
    )}
  </TreeItem>
);

/**
 * The files of the shell as a tree. Enter opens, F2 renames, Delete deletes. Files and folders are dragged into folders, files of the computer
 * into the tree; with the keyboard, the grip of a row starts to move it.
 */
export function FileTree({
  paths,
  current,
  unsaved,
  onOpen,
  onRename,
  onRemove,
  drops,
}: {
  paths: readonly string[];
  current: string | undefined;
  unsaved: ReadonlySet<string>;
  onOpen: (path: string) => void;
  /** Absent for people who only read. */
  onRename?: (path: string) => void;
  onRemove?: (path: string) => void;
  drops?: TreeDrops;
}) {
  const tree = useMemo(() => treeOf(paths), [paths]);
  const [expanded, setExpanded] = useState<ReadonlySet<Key>>(new Set());
  useEffect(() => {
    if (current !== undefined) setExpanded((before) => new Set([...before, ...foldersAbove(current)]));
  }, [current]);
  const dragAndDropHooks = useTreeDrops(drops);
  const isFile = (path: string | undefined): path is string => path !== undefined && paths.includes(path);
  return (
    // the tree handles its own keys first
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the tree's rows
    <div
      onKeyDown={({ key, target }) => {
        const path = (target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset['key'];
        if (!isFile(path)) return;
        if (key === 'F2') onRename?.(path);
        if (key === 'Delete') onRemove?.(path);
      }}
    >
      <Tree
        aria-label={strings.files}
        className="tree"
        items={tree}
        dependencies={[current, unsaved]}
        expandedKeys={expanded}
        onExpandedChange={setExpanded}
        selectionMode="none"
        dragAndDropHooks={dragAndDropHooks}
        renderEmptyState={() => <EmptyState title={strings.noFiles} text={strings.noFilesText} />}
      >
        {(node) => (
          <Node node={node} current={current} unsaved={unsaved} canMove={drops !== undefined} onOpen={onOpen} />
        )}
      </Tree>
    </div>
  );
}
