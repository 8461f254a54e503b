import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writePrivateFile } from './files.ts';

/** The secrets of a data folder. Created once, at the first start, in `credentials.json` (mode 0600). */
export interface Credentials {
  /** Identifies this data folder, so that its processes can be told from those of another one. */
  instance: string;
  postgresPassword: string;
  databasePassword: string;
  /** Only in folders created by a release that stored objects in its own MinIO. */
  s3AccessKey?: string;
  s3SecretKey?: string;
  /** 32 bytes in base64: FIELDSTONE_SECRET_KEY. */
  secretKey: string;
}

function generateCredentials(): Credentials {
  const secret = () => randomBytes(24).toString('base64url');
  return {
    instance: randomBytes(8).toString('hex'),
    postgresPassword: secret(),
    databasePassword: secret(),
    secretKey: randomBytes(32).toString('base64'),
  };
}

/** Reads the data folder's credentials, or creates them in a new folder. Throws when the file is not valid JSON. */
export function loadCredentials(dataDir: string): Credentials {
  const file = path.join(dataDir, 'credentials.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  const credentials = generateCredentials();
  writePrivateFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return credentials;
}
