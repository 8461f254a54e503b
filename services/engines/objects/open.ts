import type { StoreSettings } from '../../core/config.ts';
import { openFileStore } from './files/store.ts';
import type { KeyedStore } from './keyed-store.ts';
import { openS3Bucket } from './s3/bucket.ts';

/** Opens the configured keyed store: a bucket of an S3 server, or a folder (design: Engines). */
export function openKeyedStore(settings: StoreSettings): KeyedStore {
  return settings.engine === 's3' ? openS3Bucket(settings) : openFileStore(settings);
}
