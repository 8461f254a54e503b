import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../run-command.ts';

/** Returns the shell commands that move the objects of a data folder's MinIO into files. Secrets stay in the folder. */
export function conversionCommands(dataDir: string): string[] {
  const credential = (name: string) => `"$(node -p 'require("${dataDir}/credentials.json").${name}')"`;
  const data = `--data '${dataDir}'`;
  return [
    `export S3_ACCESS_KEY=${credential('s3AccessKey')} S3_SECRET_KEY=${credential('s3SecretKey')}`,
    `MINIO_ROOT_USER=$S3_ACCESS_KEY MINIO_ROOT_PASSWORD=$S3_SECRET_KEY minio server --address 127.0.0.1:9000 '${dataDir}/minio' &`,
    `S3_ENDPOINT=http://127.0.0.1:9000 S3_BUCKET=fieldstone fieldstone objects copy --from s3 --to files ${data}`,
    `fieldstone engines set --actors embedded --objects files ${data}`,
    'kill $!',
  ];
}

/**
 * Rejects a data folder whose objects are in a MinIO that an earlier release started, before anything is written to it:
 * prints the commands that convert it, and throws a CliError. A folder with objects in files has been converted.
 */
export function refuseEarlierMinio(dataDir: string, env: NodeJS.ProcessEnv, print: (line: string) => void): void {
  if (env['S3_ENDPOINT'] || env['S3_ENDPOINT_FILE']) return;
  if (!existsSync(path.join(dataDir, 'minio')) || existsSync(path.join(dataDir, 'objects'))) return;
  for (const line of conversionCommands(dataDir)) print(line);
  throw new CliError(
    `The objects of ${dataDir} are in a MinIO, which an earlier release started and this one does not: move them into files by the commands ` +
      'above, with the program minio of that release, then start again; nothing has been changed.',
  );
}
