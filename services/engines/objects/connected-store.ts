import type { EngineConfig } from '../../core/config.ts';
import { openDatabase } from '../sql/database.ts';
import { type ObjectStore, openObjectStore } from './store.ts';

/** Its statements are short, and more connections would contend for the store's own table. */
const maxConnections = 4;

/**
 * Opens the configured object store with database connections of its own. It is also used within transactions, each of
 * which holds a connection: with one shared pool, as many transactions as it has connections would all wait for one
 * more.
 */
export function openConnectedStore(config: EngineConfig): ObjectStore & { close(): Promise<void> } {
  const databasePoolSize = Math.min(config.databasePoolSize, maxConnections);
  const db = openDatabase({ ...config, databasePoolSize });
  return { ...openObjectStore(config.objects, db), close: db.close };
}
