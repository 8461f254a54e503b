import { plural } from '../../app/format.ts';
import { jobStrings } from '../../parts/job-strings.ts';

/** The texts of the site list and of a site's overview. */
export const strings = {
  ...jobStrings,
  sites: 'Sites',
  sitesLead: (count: number) => plural(count, 'One site', '# sites'),
  noSites: 'No sites yet',
  noSitesText: 'You have no role on a site. An owner can invite you to one; an administrator can create one.',
  published: 'Live',
  neverPublished: 'Not published yet',

  writePost: 'Write a post',
  publish: 'Publish',
  publishing: 'Publishing',
  publishCommand: 'Publish this site',
  publishGroup: 'This site',
  openLiveSite: 'Open the live site',
  publishedNotice: (changed: number) =>
    changed === 0
      ? 'Published. No page looks different.'
      : `Published. ${plural(changed, 'One page', '# pages')} changed.`,
  rolledBack: 'The earlier release is live again. The next publish brings back what Changes lists.',

  changes: 'Changes',
  changesFact: 'Since the live release',
  changesFactNew: 'Nothing is live yet',
  noChanges: 'Nothing to publish. Edits of content and design are listed here, drafts and scheduled items are not.',
  changesSum: (count: number) =>
    plural(count, 'One change is waiting to be published.', '# changes are waiting to be published.'),
  change: { added: 'New', updated: 'Edited', removed: 'Removed' },
  deletedItem: 'Deleted item',
  moreItems: (count: number) => plural(count, 'and one more item', 'and # more items'),
  otherChanges: {
    shell: (count: number) => plural(count, 'One file of the design', '# files of the design'),
    components: (count: number) => plural(count, 'One component', '# components'),
    redirects: (count: number) => plural(count, 'One redirect', '# redirects'),
    scripts: (count: number) => plural(count, 'One script', '# scripts'),
    site: 'Name, settings or languages of the site',
  },

  jobs: 'Jobs',
  jobsFact: 'Running, and failed since the last success',
  noJobs: 'No job is running, and none has failed.',
  jobKinds: {
    publish: 'Publish',
    rebuild: 'Preview of the design',
    scheduled: 'Scheduled publish',
    webhook: 'Publish by webhook',
  },
  jobFailed: 'failed',
  jobRetried: 'It is tried again.',

  releases: 'Releases',
  releasesFact: 'Each publish makes one. To undo a publish, make an earlier one live.',
  noReleases: 'The first publish makes the first release. Every release can go live again later, at once.',
  live: 'Live',
  releasePages: (pages: number, changed: number) => `${plural(pages, 'One page', '# pages')}, ${changed} changed`,
  makeLive: 'Make live',
  makeLiveLabel: (when: string) => `Make live: the release of ${when}`,
  compare: 'Compare',
  compareLabel: (when: string) => `Compare the release of ${when} with the live one`,
  compareLive: 'What changed',
  compareLiveLabel: 'What changed with the live release',
  differenceOfLive: 'Compared with the release before it:',
  difference: 'If it goes live instead of the present release:',
  noDifference: 'All pages are the same.',
  pathKinds: { added: 'New', changed: 'Different', removed: 'Gone' },
  morePaths: (count: number) => plural(count, 'and one more', 'and # more'),

  whyButton: 'Why?',
  whyLabel: (path: string) => `Why? The reasons for ${path}`,
  why: {
    unknown: 'This release was made before reasons were kept.',
    nothing: 'Nothing that this page reads had changed.',
    kinds: {
      new: 'It is a new page',
      version: 'It was made by another version of Fieldstone',
      plan: 'Its template, or its place in an archive',
      item: 'The item that it shows',
      posts: 'A list of posts that it shows',
      archive: 'The posts of its archive',
      post_count: 'The number of posts',
      pages: 'The list of pages',
      translations: 'The translations of its item',
      media: 'An image or file that it shows',
      template: 'A template',
      shell_file: 'A file of the design',
      component: 'A component',
      scripts: 'The scripts of the site',
      site: 'Name or settings of the site',
      languages: 'The languages of the site',
      target: 'A preview became live',
    },
  },

  preview: 'Preview',
  previewFact: 'The design with the latest edits',
  openPreview: 'Open the preview',
  previewExpires: 'The link works without signing in, until it expires',
} as const;
