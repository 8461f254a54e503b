/** A file or a folder. */
export interface TreeNode {
  /** The whole path; of a folder with a slash at the end. Collections know their items by it. */
  id: string;
  name: string;
  /** Undefined for a file. */
  children?: TreeNode[];
}

const byName = (a: TreeNode, b: TreeNode): number =>
  Number(b.children !== undefined) - Number(a.children !== undefined) || a.name.localeCompare(b.name);

/** Returns the tree of paths: folders first, then files, each by name. */
export function treeOf(paths: Iterable<string>): TreeNode[] {
  const root: TreeNode[] = [];
  const folders = new Map<string, TreeNode[]>([['', root]]);
  const childrenOf = (folder: string): TreeNode[] => {
    const known = folders.get(folder);
    if (known) return known;
    const children: TreeNode[] = [];
    folders.set(folder, children);
    const parent = folderOf(folder.slice(0, -1));
    childrenOf(parent).push({ id: folder, name: folder.slice(parent.length, -1), children });
    return children;
  };
  for (const path of paths) {
    const folder = folderOf(path);
    childrenOf(folder).push({ id: path, name: path.slice(folder.length) });
  }
  for (const children of folders.values()) children.sort(byName);
  return root;
}

/** Returns the folder of a path with its slash; empty at the top. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Returns how files get new paths when a file or a folder is moved into a folder: none if it is there already, or below itself. */
export function movesInto(folder: string, moved: string, paths: readonly string[]): { from: string; to: string }[] {
  const isFolder = moved.endsWith('/');
  const parent = folderOf(isFolder ? moved.slice(0, -1) : moved);
  if (parent === folder || (isFolder && folder.startsWith(moved))) return [];
  return paths
    .filter((path) => path === moved || (isFolder && path.startsWith(moved)))
    .map((from) => ({ from, to: folder + from.slice(parent.length) }));
}

/** Returns the folders above a path. */
export function foldersAbove(path: string): string[] {
  const folder = folderOf(path);
  return folder === '' ? [] : [...foldersAbove(folder.slice(0, -1)), folder];
}
