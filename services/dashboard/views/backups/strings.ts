/** The texts of the view of backups. */
export const strings = {
  title: 'Backups',
  lead: 'A backup has the content, media, templates and settings of the site, and its live release.',
  none: 'No backups yet',
  noneText: 'Back the site up now. Backups can also be made on a schedule.',
  create: 'Back up now',
  created: 'The site is backed up.',
  running: 'This takes longer. The list shows the backup when it is complete.',
  scheduleTitle: 'Schedule',
  schedule: (hours: number, keep: number) =>
    hours === 0 ? 'Only on request' : `Every ${hours} ${hours === 1 ? 'hour' : 'hours'}; the newest ${keep} are kept`,
  storeTitle: 'Kept in',
  stores: {
    s3: 'an object store',
    files: 'a folder on the disk of the service, which a loss of that disk would take too',
  },
  lastTitle: 'Last backup',
  never: 'none',
  size: (blobs: number, bytes: string) => `${blobs} objects, ${bytes}`,
  verify: 'Verify',
  verifyOf: (at: string) => `Verify the backup of ${at}`,
  verified: 'The backup is complete and can be restored.',
  restore: 'Restore',
  restoreOf: (at: string) => `Restore the backup of ${at}`,
  restoreTitle: 'Restore a backup as a new site',
  restoreText:
    'The present site stays as it is. To replace it, use `fieldstone backups restore`, which backs it up first.',
  slug: 'Slug of the new site',
  restoreSubmit: 'Restore as a new site',
  restored: (slug: string) => `The backup is restored as ${slug}.`,
  tooSlow: 'The list of backups takes too long at the moment. Open the page again later.',
} as const;
