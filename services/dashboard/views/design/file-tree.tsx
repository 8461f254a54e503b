import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useMemo, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { type Key, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { strings } from './strings.ts';
import { foldersAbove, type TreeNode, treeOf } from './tree-model.ts';

interface NodeProps {
  node: TreeNode;
  current: string | undefined;
  unsaved: ReadonlySet<string>;
  onOpen: (path: string) => void;
}

const Node = ({ node, current, unsaved, onOpen }: NodeProps) => (
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
    </TreeItemContent>
    {node.children && (
      <Collection items={node.children} dependencies={[current, unsaved]}>
        {(child) => <Node node={child} current={current} unsaved={unsaved} onOpen={onOpen} />}
      </Collection>
    )}
  </TreeItem>
);

/** The files of the shell as a tree. Enter opens, F2 renames, Delete deletes. */
export function FileTree({
  paths,
  current,
  unsaved,
  onOpen,
  onRename,
  onRemove,
}: {
  paths: readonly string[];
  current: string | undefined;
  unsaved: ReadonlySet<string>;
  onOpen: (path: string) => void;
  /** Absent for people who only read. */
  onRename?: (path: string) => void;
  onRemove?: (path: string) => void;
}) {
  const tree = useMemo(() => treeOf(paths), [paths]);
  const [expanded, setExpanded] = useState<ReadonlySet<Key>>(new Set());
  useEffect(() => {
    if (current !== undefined) setExpanded((before) => new Set([...before, ...foldersAbove(current)]));
  }, [current]);
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
      >
        {(node) => <Node node={node} current={current} unsaved={unsaved} onOpen={onOpen} />}
      </Tree>
    </div>
  );
}
