/** What is said of backups that lie on the disk of what they are backups of. */
export function noteOfOwnDisk(folder: string): string {
  return (
    `Backups are kept in the folder ${folder}, on the disk of the service: they do not survive its loss. ` +
    'Set BACKUP_S3_ENDPOINT to keep them elsewhere.'
  );
}
