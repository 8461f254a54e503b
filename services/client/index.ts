import { type ClientOptions, createClientOf } from './client.ts';
import type { OperationId } from './operation-types.ts';
import { table } from './operations.ts';

export type { CallOptions, ClientOptions, Page, Pagination, Result, WaitOptions } from './client.ts';
export { FieldstoneError } from './errors.ts';
export type {
  Data,
  FieldName,
  Item,
  ListOperation,
  OperationId,
  RawBody,
  Request,
  Schemas,
} from './operation-types.ts';

/** Creates a client of one Fieldstone service. */
export const createClient = (options: ClientOptions) => createClientOf<OperationId>(table, options);
