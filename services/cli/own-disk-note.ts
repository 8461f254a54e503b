/** Returns the note about backups that are on the same disk as their data. */
export function noteOfOwnDisk(folder: string): string {
  return (
    `Backups are kept in the folder ${folder}, on the disk of the service: they do not survive its loss. ` +
    'Set BACKUP_S3_ENDPOINT to keep them elsewhere.'
  );
}
