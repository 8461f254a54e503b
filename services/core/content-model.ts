import type { z } from 'zod';
import { type ContentField, contentFields } from './content-fields.ts';
import { formatTimestamp } from './timestamp.ts';

type Fields = typeof contentFields;
export type FieldName = keyof Fields;
type NamesWith<Trait> = { [N in FieldName]: Fields[N] extends Trait ? N : never }[FieldName];

export type ColumnName = Exclude<FieldName, NamesWith<{ column: null }>>;
export type WrittenName = NamesWith<{ written: true }>;
export type WritableName = NamesWith<{ write: z.ZodType }>;
export type RecordName = NamesWith<{ inRecord: true }>;
export type PageName = NamesWith<{ onPages: true }>;
type PayloadName<By> = NamesWith<{ payload: By }>;

/** A field's value as JSON: in records, revisions and build inputs. */
type JsonValue<N extends FieldName> = z.output<Fields[N]['value']>;
type ColumnValue<N extends FieldName> = Fields[N] extends { column: 'TIMESTAMPTZ' }
  ? Date | Extract<JsonValue<N>, null>
  : JsonValue<N>;

/** The row of an item. */
export type ContentRow = { [N in ColumnName]: ColumnValue<N> };
/** The columns that a write sets. */
export type WrittenContent = Pick<ContentRow, WrittenName>;
/** The members of API records. */
export type ContentMembers = { [N in RecordName]: JsonValue<N> };
/** The members that builds read of an item. */
export type PageMembers = { [N in PageName]: JsonValue<N> };

const entries = Object.entries(contentFields) as [FieldName, ContentField][];

function namesWhere<N extends FieldName>(test: (field: ContentField) => boolean): readonly N[] {
  return entries.flatMap(([name, field]) => (test(field) ? [name as N] : []));
}

/** Names of fields in the order of the table. */
export const columnNames = namesWhere<ColumnName>(({ column }) => column !== null);
export const writtenNames = namesWhere<WrittenName>((field) => field.written);
export const revisionNames = namesWhere<WrittenName>(({ inRevision }) => inRevision);
export const writableNames = namesWhere<WritableName>(({ write }) => write !== undefined);
export const recordNames = namesWhere<RecordName>(({ inRecord }) => inRecord);
export const pageNames = namesWhere<PageName>(({ onPages }) => onPages);
export const longNames = namesWhere<ColumnName>(({ isLong }) => isLong === true);

/**
 * Fields that payloads of content mappers may set, those for article mappers only, and those for posts and pages only.
 */
export const payloadNames = {
  content: namesWhere<PayloadName<'content'>>(({ payload }) => payload === 'content'),
  article: namesWhere<PayloadName<'article'>>(({ payload }) => payload === 'article'),
  item: namesWhere<PayloadName<'item'>>(({ payload }) => payload === 'item'),
};

/** Returns whether a null in a payload clears the field; otherwise it is ignored. */
export function isClearedByNull(name: FieldName): boolean {
  const { column, value } = contentFields[name];
  return column === 'TEXT' && value.safeParse(null).success;
}

type WriteShape = { [N in WritableName]: Fields[N]['write'] };
type RecordShape = { [N in RecordName]: Fields[N]['value'] };

/** The zod schemas of the members that clients may write, and of those in records. */
export const writeShape = Object.fromEntries(
  writableNames.map((name) => [name, contentFields[name].write]),
) as WriteShape;
export const recordShape = Object.fromEntries(
  recordNames.map((name) => [name, contentFields[name].value]),
) as RecordShape;

const initialOf = (name: FieldName): unknown => (contentFields[name] as ContentField).initial ?? null;

/** The initial values of fields that a create request omits. */
export const initialValues = Object.fromEntries(writtenNames.map((name) => [name, initialOf(name)])) as Record<
  string,
  unknown
>;

/** The example record of the OpenAPI document. */
export const exampleRecord: Readonly<Record<string, unknown>> = Object.fromEntries(
  recordNames.map((name) => [name, (contentFields[name] as ContentField).example ?? initialOf(name)]),
);

/** Converts the value of a column to JSON: times to text of whole seconds, everything else unchanged. */
export function toJsonValue(value: unknown): unknown {
  return value instanceof Date ? formatTimestamp(value) : value;
}

const timeNames = writtenNames.filter((name) => contentFields[name].column === 'TIMESTAMPTZ');

/**
 * Returns the columns stored in the JSON record of a revision. Times in the record are text; fields that did not exist
 * when it was written get their initial values.
 */
export function columnsOfRevision(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const columns: Record<string, unknown> = { ...initialValues, ...record };
  for (const name of timeNames) {
    const value = columns[name];
    if (typeof value === 'string') columns[name] = new Date(value);
  }
  return columns;
}

/**
 * Creates a function that copies these fields of a row to a new JSON object. The object starts as a copy of one that
 * has every member, because adding members one by one takes twice as long.
 */
export function createRowReader(names: readonly FieldName[]) {
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]));
  const times = names.filter((name) => contentFields[name].column === 'TIMESTAMPTZ');
  const others = names.filter((name) => contentFields[name].column !== null && !times.includes(name));
  return function readRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const members = { ...blank };
    for (const name of others) members[name] = row[name];
    for (const name of times) members[name] = toJsonValue(row[name]);
    return members;
  };
}
