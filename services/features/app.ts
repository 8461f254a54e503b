import type { EngineConfig } from '../core/config.ts';
import type { Logger } from '../core/log.ts';
import type { Cipher } from '../core/secrets.ts';
import type { ActorClient } from '../engines/actors/actor-client.ts';
import type { ComponentCompiler } from '../engines/components/compiler.ts';
import type { EdgeNotifier } from '../engines/edges/notifier.ts';
import type { ObjectStore } from '../engines/objects/store.ts';
import type { Database } from '../engines/sql/database.ts';
import type { ThreadPool } from '../engines/threads/thread-pool.ts';

/** A sanitized body, ready to be stored. */
export interface CleanBody {
  /** A buffer if it came from a thread and is too large for a row. */
  html: string | Buffer;
  /** What sanitizing removed or repaired. */
  warnings: { code: string; message: string }[];
  /** The text for the search. */
  text: string;
  /** Ids in the body that may name media items, in lower case. */
  mediaIds: string[];
}

/** A body as the client sent it: HTML, or Markdown, which is rendered. */
export type GivenBody = string | { markdown: string };

/** Renders and sanitizes bodies without blocking the event loop. */
export interface BodyCleaner {
  /**
   * Returns one result for each body, in their order. Large ones of different keys take turns. Throws
   * `unavailable` when too many wait or the machine is too busy, `validation_failed` for a body that takes too much
   * memory.
   */
  clean(key: string, given: readonly GivenBody[]): Promise<CleanBody[]>;
}

/** What is wrong with a value: the JSON pointer of the place, and a sentence about it. */
export interface FieldFault {
  path: string;
  message: string;
}

/** Checks fields against JSON Schemas of users, which may take any time, without keeping the event loop busy. */
export interface FieldChecker {
  /** Why a schema cannot be used, or null. Throws `validation_failed` and `unavailable`. */
  checkSchema(key: string, schema: Record<string, unknown>): Promise<string | null>;
  /** What is wrong with each value, or null. `key` is whose they are. Throws `validation_failed` and `unavailable`. */
  check(
    key: string,
    schema: Record<string, unknown>,
    values: readonly Record<string, unknown>[],
  ): Promise<(FieldFault | null)[]>;
}

/** Lets requests of one process wait for the end of jobs. A waiter holds no connection, and further ones add no statements. */
export interface JobEnds {
  /**
   * Resolves when the job has ended or is gone, after `timeoutMs`, at the signal, or when the process stops. At once when too many
   * wait already, for this `owner` or in all: the caller reads the job and sees.
   */
  wait(job: string, options: { owner: string; timeoutMs: number; signal: AbortSignal }): Promise<void>;
  /** Releases every waiter, and those to come at once. */
  stop(): void;
}

/** The dependencies that the composition root of a process passes to every feature. */
export interface App {
  config: EngineConfig;
  db: Database;
  objects: ObjectStore;
  actors: ActorClient;
  /** Tells edges that a site's release was swapped. */
  edges: EdgeNotifier;
  cipher: Cipher;
  log: Logger;
  /** Run work that would block the event loop. */
  threads: ThreadPool;
  /** Checks templates for syntax errors, in separate processes. */
  templates: TemplateChecker;
  /** Compiles components and renders them as a trial, in separate threads and processes. */
  components: ComponentCompiler;
  /** Sanitizes bodies, large ones in threads. */
  bodies: BodyCleaner;
  /** Checks fields in threads. */
  fieldChecks: FieldChecker;
  /** Waits for jobs on behalf of requests. */
  jobEnds: JobEnds;
}

/** The subset that workers have. */
export type WorkerApp = Omit<App, 'templates' | 'threads' | 'jobEnds'>;

export interface TemplateChecker {
  /** Templates of different keys take turns. */
  check(
    key: string,
    name: string,
    source: string,
  ): Promise<{ line: number; column: number | null; message: string } | null>;
  stop(): Promise<void>;
}
