import { z } from 'zod';
import type { Db } from '../../../core/db.ts';
import { Problem } from '../../../core/errors.ts';
import type { Site } from '../../../core/http.ts';
import { requireStorable } from '../../../core/stored-json.ts';
import { check } from '../../../core/validate.ts';
import type { WorkerApp } from '../../app.ts';
import type { MapperName } from '../../integrations/index.ts';
import type { ImageImporter } from '../images/import-images.ts';

/** Thrown when the payload cannot be used: the delivery is skipped and not retried (spec: Mappers, rule 4). */
export class UnusablePayload extends Error {}

/** The context of work outside the transaction. */
interface PrepareScope<A = WorkerApp> {
  app: A;
  site: Site;
  images: ImageImporter;
  signal: AbortSignal;
}

/** The transaction in which the mapper writes and its delivery becomes mapped. */
interface ApplyScope<A = WorkerApp> {
  app: A;
  db: Db;
  site: Site;
  integrationId: string;
  /** The item that an earlier run or replay of this delivery created, if the payload has no key. */
  earlierItemId: string | null;
}

/** The context of a trial: nothing is fetched, images are only looked up, and its transaction is rolled back. */
export type TrialApp = Pick<WorkerApp, 'db' | 'objects' | 'config' | 'bodies' | 'fieldChecks'>;
export type TrialPrepareScope = PrepareScope<TrialApp>;
export type TrialApplyScope = ApplyScope<TrialApp>;

/** The two steps of a mapper. */
interface Steps<A, Payload, Prepared> {
  prepare(scope: PrepareScope<A>, payload: Payload): Promise<Prepared>;
  apply(scope: ApplyScope<A>, payload: Payload, prepared: Prepared, key: string | null): Promise<MapperOutcome>;
}

/** The result of a mapper; all of it is stored in the delivery's `result`. */
export interface MapperOutcome {
  /** Stored for the key. */
  itemId: string | null;
  result: {
    item: { kind: 'content' | 'media' | 'component'; [member: string]: unknown };
    action: 'created' | 'updated' | 'unchanged';
    /** The item's public URL, if it has one. */
    url?: string;
    [detail: string]: unknown;
  };
}

/**
 * Converts a payload to a record of the site. A new mapper is one more file of this shape, a line in `index.ts`, and
 * its name in `integrations/mapper-names.ts`.
 */
export interface Mapper<Required = unknown, Payload = unknown, Prepared = unknown>
  extends Steps<WorkerApp, Payload, Prepared> {
  name: MapperName;
  /** Required members; a payload that fails here is skipped. */
  required: z.ZodType<Required>;
  /** All supported members; a payload that fails only here is an error and is retried. */
  payload: z.ZodType<Payload> & Pick<z.ZodObject, 'shape'>;
  /** Returns the source's key of the item, so that its deliveries are applied in order; null when it has none. */
  keyOf(payload: Payload, raw: string): string | null;
  /** The same steps, if they can be tried without outside work. */
  trial?: Steps<TrialApp, Payload, Prepared>;
}

/** Infers a mapper's own types, which are hidden from other code. */
export function defineMapper<Required, Payload, Prepared>(mapper: Mapper<Required, Payload, Prepared>): Mapper {
  return mapper as unknown as Mapper;
}

/** A required member: a string that is not blank. */
export const nonEmptyText = z.string().refine((value) => value.trim() !== '', 'must not be empty');

function parseObject(raw: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw new UnusablePayload('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnusablePayload('The body is not a JSON object.');
  }
  return value as Record<string, unknown>;
}

/**
 * Parses the payload with the mapper's schemas. Throws UnusablePayload, or a Problem if the delivery may be retried.
 */
export function readPayload(mapper: Mapper, raw: string): unknown {
  const value = parseObject(raw);
  try {
    check(mapper.required, value);
  } catch (error) {
    throw error instanceof Problem ? new UnusablePayload(`${error.message}.`) : error;
  }
  const known = Object.fromEntries(Object.keys(mapper.payload.shape).map((name) => [name, value[name]]));
  requireStorable(known); // before the schema, which may recurse into a deeply nested member
  return check(mapper.payload, known);
}
