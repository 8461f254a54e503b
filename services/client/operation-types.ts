import type { table } from './operations.ts';
import type { components, operations } from './schema.ts';

/** The records and bodies of the OpenAPI document by name. */
export type Schemas = components['schemas'];

/** An operation of the OpenAPI document by its operationId. */
export type OperationId = keyof operations & keyof typeof table;

type Parameters<Id extends OperationId> = operations[Id]['parameters'];
type Response<Id extends OperationId> = operations[Id]['responses'][keyof operations[Id]['responses']];
type Json<Id extends OperationId> =
  Response<Id> extends { content: { 'application/json': infer Envelope } } ? Envelope : never;

/**
 * Data of a response without `fields`: a record, the records of a page, the text of a file, or null for an empty
 * response.
 */
type WholeData<Id extends OperationId> = [Json<Id>] extends [never]
  ? Response<Id> extends { content: { 'text/plain': string } }
    ? string
    : null
  : Json<Id> extends { data: infer Data }
    ? Data
    : never;

/** Operations that return a list, page by page. */
export type ListOperation = {
  [Id in OperationId]: Json<Id> extends { pagination: unknown } ? Id : never;
}[OperationId];

type Query<Id extends OperationId> = NonNullable<Parameters<Id>['query']>;

/** Members that the `fields` parameter of an operation may name. */
export type FieldName<Id extends OperationId> =
  Query<Id> extends { fields?: readonly (infer Name)[] | undefined } ? Name : never;

/** The value of `fields` in a request; undefined without it. */
export type Fields<Id extends OperationId> = readonly FieldName<Id>[] | undefined;

/**
 * The members of a record that `fields` selects: exactly those of a literal list; for any other list each member is
 * optional.
 */
type Part<Item, F> = F extends readonly unknown[]
  ? number extends F['length']
    ? Partial<Item> & Pick<Item, Extract<keyof Item, 'id'>>
    : Pick<Item, Extract<keyof Item, F[number] | 'id'>>
  : Item;

/** The data of a response to a request with these `fields`. */
export type Data<Id extends OperationId, F extends Fields<Id> = undefined> =
  WholeData<Id> extends readonly (infer Item)[] ? Part<Item, F>[] : Part<WholeData<Id>, F>;

/** A record of a list. */
export type Item<Id extends ListOperation, F extends Fields<Id> = undefined> =
  Data<Id, F> extends readonly (infer Record)[] ? Record : never;

/** A body of bytes that is sent as it is. */
export type RawBody = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

interface BodyTypes<JsonBody> {
  'application/json': JsonBody;
  'multipart/form-data': FormData;
  'application/octet-stream': RawBody;
}

type Content<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends { content: infer C } ? C : never;

type Body<Id extends OperationId> = {
  [Type in keyof Content<Id>]: Type extends keyof BodyTypes<unknown> ? BodyTypes<Content<Id>[Type]>[Type] : RawBody;
}[keyof Content<Id>];

type PathPart<Id extends OperationId> = [NonNullable<Parameters<Id>['path']>] extends [never]
  ? unknown
  : NonNullable<Parameters<Id>['path']>;

/** `fields` is outside of every condition, so that its literal type is inferred. */
type QueryPart<Id extends OperationId, F> = [Query<Id>] extends [never]
  ? { query?: never }
  : { query?: Omit<Query<Id>, 'fields'> & { fields?: F } };

type BodyPart<Id extends OperationId> = [Content<Id>] extends [never]
  ? { body?: never }
  : undefined extends operations[Id]['requestBody']
    ? { body?: Body<Id> }
    : { body: Body<Id> };

/** Path parameters, query parameters and body of one operation. */
export type Request<Id extends OperationId, F extends Fields<Id> = undefined> = PathPart<Id> &
  QueryPart<Id, F> &
  BodyPart<Id>;
