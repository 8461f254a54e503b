import type { EngineConfig } from '../../core/config.ts';
import { openDatabase } from '../sql/database.ts';
import { type ObjectStore, openObjectStore } from './store.ts';

/** Its statements are short; more would wait on the store's own table. */
const maxConnections = 4;

/**
 * The object store of the settings with connections to the database of its own. It is asked within transactions too, each of which
 * holds a connection: out of one pool, as many transactions as it has connections would all wait for one more.
 */
export function openConnectedStore(config: EngineConfig): ObjectStore & { close(): Promise<void> } {
  const databasePoolSize = Math.min(config.databasePoolSize, maxConnections);
  const db = openDatabase({ ...config, databasePoolSize });
  return { ...openObjectStore(config.objects, db), close: db.close };
}
