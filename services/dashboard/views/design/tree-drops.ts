import {
  type DirectoryDropItem,
  type DragAndDropOptions,
  type DropItem,
  type FileDropItem,
  isDirectoryDropItem,
  isFileDropItem,
  isTextDropItem,
  useDragAndDrop,
} from 'react-aria-components/useDragAndDrop';
import { notifyProblem } from '../../parts/notify.ts';
import type { PlacedFile } from './file-actions.ts';
import { folderOf, type TreeNode } from './tree-model.ts';

/** What a drop on the tree does. Folders end with a slash; the top has the empty path. */
export interface TreeDrops {
  /** Moves files and folders of the shell into a folder. */
  onMove: (paths: readonly string[], folder: string) => void;
  /** Writes files of the computer. */
  onUpload: (files: readonly PlacedFile[]) => void;
}

/** The format of paths of the shell, which only this page takes. */
const pathType = 'application/x-fieldstone-shell-path';

/** Returns the files of dropped files and folders, with the paths that they get below `folder`. */
async function readFiles(
  items: Iterable<DropItem> | AsyncIterable<FileDropItem | DirectoryDropItem>,
  folder: string,
): Promise<PlacedFile[]> {
  const files: PlacedFile[] = [];
  for await (const item of items) {
    if (isFileDropItem(item)) files.push({ path: folder + item.name, file: await item.getFile() });
    if (isDirectoryDropItem(item)) files.push(...(await readFiles(item.getEntries(), `${folder}${item.name}/`)));
  }
  return files;
}

/** What is dropped on a file goes beside it. */
const folderAt = (key: string): string => (key.endsWith('/') ? key : folderOf(key));

/** Returns what the tree needs for dragging and dropping; without `drops` nothing can be dragged. */
export function useTreeDrops(drops: TreeDrops | undefined) {
  const drop = async (items: readonly DropItem[], folder: string) => {
    const texts = items.filter(isTextDropItem).filter(({ types }) => types.has(pathType));
    const paths = await Promise.all(texts.map((item) => item.getText(pathType)));
    if (paths.length > 0) return drops?.onMove(paths, folder);
    const files = await readFiles(items, folder);
    if (files.length > 0) drops?.onUpload(files);
  };
  const options: DragAndDropOptions<TreeNode> = {
    isDisabled: drops === undefined,
    getItems: (keys) => [...keys].map((key) => ({ [pathType]: String(key), 'text/plain': String(key) })),
    getAllowedDropOperations: () => ['move'],
    getDropOperation: (_target, types) => (types.has(pathType) ? 'move' : 'copy'),
    onItemDrop: ({ items, target }) => void drop(items, folderAt(String(target.key))).catch(notifyProblem),
    onRootDrop: ({ items }) => void drop(items, '').catch(notifyProblem),
  };
  return useDragAndDrop(options).dragAndDropHooks;
}
