import { invalid } from '../../core/errors.ts';
import { isTagList } from '../../core/etag.ts';
import { membersOf, readFields, takesFields } from '../../core/fields.ts';
import { check, checkBody } from '../../core/validate.ts';
import { type Context, headerOf, type Stage } from '../context.ts';

/**
 * Reads the parameter `fields` of a GET of an item or list (contract: Beyond the specification). Throws 422 that names
 * it.
 */
function readFieldsOf({ route, search }: Context): ReadonlySet<string> | undefined {
  if (!takesFields(route!)) return undefined;
  const text = new URLSearchParams(search).get('fields');
  return text === null ? undefined : readFields(text, membersOf(route!.reply.schema));
}

/**
 * Throws 422 for an `If-Match` or `If-None-Match` that is neither `*` nor a list of entity tags, where the route
 * honours it.
 */
function requireTagLists(ctx: Context): void {
  if (!ctx.route!.etag) return;
  for (const path of ctx.method === 'PUT' ? ['If-Match', 'If-None-Match'] : ['If-Match']) {
    const header = headerOf(ctx, path.toLowerCase());
    if (header === undefined || isTagList(header)) continue;
    throw invalid([{ path, message: 'must be * or entity tags in double quotes, as `ETag` has them' }]);
  }
}

/** Validates query and body against the route's schemas: 422 with `details` (contract: Conventions). */
export const validate: Stage = (ctx) => {
  if (ctx.bodyFault) throw ctx.bodyFault;
  const { query, body } = ctx.route!;
  requireTagLists(ctx);
  if (query) {
    const values = Object.fromEntries(new URLSearchParams(ctx.search));
    for (const [path, value] of Object.entries(values)) {
      if (value.includes('\0')) throw invalid([{ path, message: 'must not contain NUL' }]);
    }
    ctx.query = check(query, values);
  }
  if (ctx.method === 'GET') ctx.fields = readFieldsOf(ctx);
  if (body.kind === 'json') ctx.body = checkBody(body.schema, ctx.body, body.readOnly);
  if (body.kind === 'custom' && body.schema) ctx.body = checkBody(body.schema, ctx.body, body.readOnly);
  return undefined;
};
