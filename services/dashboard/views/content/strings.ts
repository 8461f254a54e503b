import { plural } from '../../app/format.ts';
import type { Status } from './content-view.ts';

/** The texts of the content list and of the page of an item. The editor of bodies has its own. */
export const strings = {
  title: 'Content',
  newItem: 'New item',
  create: 'Create',
  newTitle: 'Title',
  newType: 'Type',
  newLanguage: 'Language',
  newHint: 'It stays a draft until you publish it.',
  untitled: 'Untitled',
  items: (count: number) => plural(count, '1 item', '# items'),
  search: 'Search content',
  searchHint: 'Search titles and texts',
  status: 'Status',
  type: 'Type',
  tag: 'Tag',
  language: 'Language',
  any: 'All',
  clearFilters: 'Clear filters',
  statuses: {
    draft: 'Draft',
    scheduled: 'Scheduled',
    published: 'Published',
    archived: 'Archived',
    trash: 'In the trash',
  } satisfies Record<Status | 'trash', string>,
  types: { post: 'Post', page: 'Page' } as Record<string, string | undefined>,
  columns: { title: 'Title', status: 'Status', type: 'Type', author: 'Author', updated: 'Changed' },
  table: 'Content items',
  select: (title: string) => `Select ${title}`,
  selectLoaded: 'Select all items shown',
  noItems: 'Nothing written yet',
  noItemsText:
    'New item starts the first post or page. Items that arrive by webhook or through the API appear here too.',
  noMatch: 'No item matches',
  noMatchText: 'Search for another word or clear the filters.',
  trashEmpty: 'The trash is empty',
  trashEmptyText: 'Items that you delete stay here until they are deleted permanently.',
  selected: (count: number) => plural(count, '1 item selected', '# items selected'),
  selection: 'Selected items',
  selectAll: (count: number) => `Select all ${count.toLocaleString('en')}`,
  progress: (done: number, total: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  refusedTitle: (count: number) => `${strings.items(count)} could not be changed`,
  moreRefused: (count: number) => `and ${count.toLocaleString('en')} more`,
  publish: 'Publish',
  unpublish: 'Unpublish',
  addTag: 'Add tag',
  tagToAdd: 'Tag to add',
  moveToTrash: 'Move to trash',
  restore: 'Restore',
  clearSelection: 'Clear selection',
  done: {
    publish: (count: number) => `${strings.items(count)} set to published. The site is being published.`,
    publishWithoutSite: (count: number) => `${strings.items(count)} set to published.`,
    unpublish: (count: number) => `${strings.items(count)} set to draft. They stay live until the next publish.`,
    tag: (count: number) => `Tag added to ${strings.items(count)}.`,
    trash: (count: number) => `${strings.items(count)} moved to the trash.`,
    restore: (count: number) => `${strings.items(count)} restored.`,
  },
  undone: 'Undone.',
} as const;

/** The name of a type: that of the site, or one of the two that every site has. */
export const nameOfType = (type: string, names: ReadonlyMap<string, string>): string =>
  names.get(type) ?? strings.types[type] ?? type;
