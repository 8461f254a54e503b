import { z } from 'zod';
import type { Db } from '../../../core/db.ts';
import { Problem } from '../../../core/errors.ts';
import type { Site } from '../../../core/http.ts';
import { requireStorable } from '../../../core/stored-json.ts';
import { check } from '../../../core/validate.ts';
import type { WorkerApp } from '../../app.ts';
import type { MapperName } from '../../integrations/index.ts';
import type { ImageImporter } from '../images/import-images.ts';

/** The payload cannot be used: the delivery is skipped and not tried again (spec: Mappers, rule 4). */
export class UnusablePayload extends Error {}

/** Outside work before the transaction. */
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
  /** What an earlier run or replay of this very item made, when the payload has no key of its own. */
  earlierItemId: string | null;
}

/** What a trial has: nothing is fetched, images are only found, and its transaction is rolled back. */
export type TrialApp = Pick<WorkerApp, 'db' | 'objects' | 'config' | 'bodies' | 'fieldChecks'>;
export type TrialPrepareScope = PrepareScope<TrialApp>;
export type TrialApplyScope = ApplyScope<TrialApp>;

/** What a mapper does, in two steps. */
interface Steps<A, Payload, Prepared> {
  prepare(scope: PrepareScope<A>, payload: Payload): Promise<Prepared>;
  apply(scope: ApplyScope<A>, payload: Payload, prepared: Prepared, key: string | null): Promise<MapperOutcome>;
}

/** What a mapper did; everything of it goes into the delivery's `result`. */
export interface MapperOutcome {
  /** Remembered for the key. */
  itemId: string | null;
  result: {
    item: { kind: 'content' | 'media' | 'component'; [member: string]: unknown };
    action: 'created' | 'updated' | 'unchanged';
    /** The item's public address, where it has one. */
    url?: string;
    [detail: string]: unknown;
  };
}

/**
 * One way to turn a payload into something of the site. A sixth mapper is one more file of this shape and a line in
 * `index.ts`, and its name in `integrations/mapper-names.ts`.
 */
export interface Mapper<Required = unknown, Payload = unknown, Prepared = unknown>
  extends Steps<WorkerApp, Payload, Prepared> {
  name: MapperName;
  /** Members without which the payload cannot be used; what fails here is skipped. */
  required: z.ZodType<Required>;
  /** All members that it knows; what fails only here is an error, and tried again. */
  payload: z.ZodType<Payload> & Pick<z.ZodObject, 'shape'>;
  /** What the source calls the item, so that its deliveries are applied in their order; null when it has no name. */
  keyOf(payload: Payload, raw: string): string | null;
  /** The same steps where they can be tried out without outside work. */
  trial?: Steps<TrialApp, Payload, Prepared>;
}

/** Lets a mapper's own types be inferred; outside it they are nobody's business. */
export function defineMapper<Required, Payload, Prepared>(mapper: Mapper<Required, Payload, Prepared>): Mapper {
  return mapper as unknown as Mapper;
}

/** A required member: a string with something in it. */
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

/** The payload as its mapper reads it. Throws UnusablePayload, or a Problem for what may be tried again. */
export function readPayload(mapper: Mapper, raw: string): unknown {
  const value = parseObject(raw);
  try {
    check(mapper.required, value);
  } catch (error) {
    throw error instanceof Problem ? new UnusablePayload(`${error.message}.`) : error;
  }
  const known = Object.fromEntries(Object.keys(mapper.payload.shape).map((name) => [name, value[name]]));
  requireStorable(known); // before the schema, which may walk a member to its depth
  return check(mapper.payload, known);
}
