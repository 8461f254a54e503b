import type { Db } from '../../../core/db.ts';
import { invalid } from '../../../core/errors.ts';
import { toSchema } from '../../../engines/sandbox/components/variables-schema.ts';
import type { FieldFilter } from '../schema.ts';
import { filterValue } from './field-values.ts';
import { filtersOf } from './read-schema.ts';
import { selectAllSchemas } from './sql.ts';

const isFilter = (name: string) => name.startsWith('filter[') || name === 'filter';

/**
 * Returns the filters `filter[fields.{member}]=value` of a list. Throws `validation_failed` for a filter in another
 * form, and for a member that no schema of the site (with the parameter `type`: of this type) marks with `x-filter`.
 */
export async function readFieldFilters(
  db: Db,
  siteId: string,
  query: Readonly<Record<string, unknown>>,
): Promise<FieldFilter[]> {
  const names = Object.keys(query).filter(isFilter);
  if (names.length === 0) return [];
  const schemas = await selectAllSchemas(db, siteId);
  const marked = schemas.map(({ type, fields_schema }) => ({
    type,
    filters: new Set(filtersOf(toSchema(fields_schema))),
  }));
  const onlyType = query['type'];
  return names.map((path) => {
    const name = /^filter\[fields\.(.+)\]$/s.exec(path)?.[1];
    const types = marked.flatMap(({ type, filters }) =>
      name !== undefined && filters.has(name) && (onlyType === undefined || onlyType === type) ? [type] : [],
    );
    if (name === undefined || types.length === 0)
      throw invalid([{ path, message: 'must name a member of fields that the schema of a type marks with x-filter' }]);
    return { name, value: filterValue(String(query[path])), types };
  });
}
