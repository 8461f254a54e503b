import type { EngineConfig } from '../core/config.ts';
import type { Logger } from '../core/log.ts';
import type { Cipher } from '../core/secrets.ts';
import type { ActorClient } from '../engines/actors/actor-client.ts';
import type { ComponentCompiler } from '../engines/components/compiler.ts';
import type { ObjectStore } from '../engines/objects/store.ts';
import type { Database } from '../engines/sql/database.ts';

/** A body as it may be stored. */
export interface CleanBody {
  html: string;
  /** What sanitizing removed or repaired. */
  warnings: { code: string; message: string }[];
  /** What is searched. */
  text: string;
}

/** Makes bodies safe to store without keeping the event loop busy. */
export interface BodyCleaner {
  /**
   * Sanitizes bodies; answers one for each, in their order. Large ones of different keys take turns. Throws `unavailable` when too many
   * wait or the machine is too busy, `validation_failed` for a body that takes too much memory.
   */
  clean(key: string, given: readonly string[]): Promise<CleanBody[]>;
  stop(): Promise<void>;
}

/** What every feature is handed by the composition root of its process. */
export interface App {
  config: EngineConfig;
  db: Database;
  objects: ObjectStore;
  actors: ActorClient;
  cipher: Cipher;
  log: Logger;
  /** Looks for syntax errors in templates, in a process of its own. */
  templates: TemplateChecker;
  /** Compiles components and tries them out, in a process of its own. */
  components: ComponentCompiler;
  /** Sanitizes bodies, large ones in threads. */
  bodies: BodyCleaner;
}

/** What a worker has of it. */
export type WorkerApp = Omit<App, 'templates'>;

export interface TemplateChecker {
  check(name: string, source: string): Promise<{ line: number; column: number | null; message: string } | null>;
  stop(): Promise<void>;
}
