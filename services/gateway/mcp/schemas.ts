import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { membersOf, takesFields } from '../../core/fields.ts';
import type { AppRoute } from '../../features/route.ts';
import { jsonSchema } from '../openapi/schemas.ts';
import { backupOperations } from './backups.ts';
import { parametersOf } from './run-operation.ts';
import type { Action, Tool } from './tools.ts';

type Json = Record<string, unknown>;

/** The arguments of an action. */
interface Shape {
  summary: string;
  scope: string;
  /** Required parameters of the path. */
  parameters: string[];
  optional: string[];
  query: Json | undefined;
  body: Json | undefined;
  takesText: boolean;
  takesFile: boolean;
  takesTag: boolean;
  /** Members that `query.fields` may name. */
  members: string[];
}

const bodySchemaOf = ({ body }: AppRoute) => ('schema' in body && body.schema ? jsonSchema(body.schema) : undefined);

function shapeOfRoute(route: AppRoute): Shape {
  const { kind } = route.body;
  return {
    summary: route.summary,
    scope: route.scope,
    parameters: parametersOf(route),
    optional: [],
    query: route.query && jsonSchema(route.query),
    body: bodySchemaOf(route),
    takesText: kind === 'raw',
    takesFile: kind === 'custom',
    takesTag: route.etag !== undefined,
    members: takesFields(route) ? membersOf(route.reply.schema) : [],
  };
}

function shapeOfBackups(operation: string): Shape {
  const { summary, scope, parameters } = backupOperations[operation]!;
  return {
    summary,
    scope,
    parameters: parameters.filter((name) => !name.endsWith('?')),
    optional: parameters.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1)),
    query: undefined,
    body: undefined,
    takesText: false,
    takesFile: false,
    takesTag: false,
    members: [],
  };
}

/** Returns the arguments of an action. Throws for an operation that does not exist. */
export function shapeOf(routes: ReadonlyMap<string, AppRoute>, { operation }: Action): Shape {
  if (operation in backupOperations) return shapeOfBackups(operation);
  const route = routes.get(operation);
  if (!route) throw new Error(`No route is the operation ${operation}.`);
  return shapeOfRoute(route);
}

/** Returns the schema itself where it is a reference to one of its definitions. */
function resolved(schema: Json | undefined): Json | undefined {
  const name = /^#\/\$defs\/(.+)$/.exec(String(schema?.['$ref']))?.[1];
  return name === undefined ? schema : (schema!['$defs'] as Record<string, Json>)[name];
}

const propertiesOf = (given: Json | undefined): string[] => {
  const schema = resolved(given);
  const required = new Set((schema?.['required'] as string[] | undefined) ?? []);
  return Object.keys((schema?.['properties'] as Json | undefined) ?? {}).map((name) =>
    required.has(name) ? `${name}*` : name,
  );
};

const paging = new Set(['page', 'per_page']);

/** Returns one line about an action: its arguments, and what it does. Members with `*` are required. */
function lineFor(action: string, shape: Shape): string {
  const query = propertiesOf(shape.query).filter((name) => !paging.has(name));
  const body = propertiesOf(shape.body);
  const parts = [
    [...shape.parameters, ...shape.optional.map((name) => `${name}?`)].filter((name) => name !== 'site').join(', '),
    query.length > 0 ? `query: ${query.join(', ')}` : '',
    body.length > 0 ? `body: ${body.join(', ')}` : '',
  ].filter(Boolean);
  return `- ${action}${parts.length > 0 ? `(${parts.join('; ')})` : ''}: ${shape.summary.replace(/\.$/, '')}`;
}

const string = { type: 'string' };
const object = { type: 'object' };

function propertiesFor(tool: Tool, shapes: readonly Shape[]): Json {
  const some = (test: (shape: Shape) => boolean) => shapes.some(test);
  const names = [...new Set(shapes.flatMap(({ parameters, optional }) => [...parameters, ...optional]))];
  return {
    action: { enum: Object.keys(tool.actions) },
    ...Object.fromEntries(names.map((name) => [name, string])),
    ...(some(({ query, members }) => query !== undefined || members.length > 0) ? { query: object } : {}),
    ...(some(({ body }) => body !== undefined) ? { body: object } : {}),
    ...(some(({ takesText }) => takesText) ? { text: string } : {}),
    ...(some(({ takesText, takesFile }) => takesText || takesFile) ? { base64: string } : {}),
    ...(some(({ takesFile }) => takesFile) ? { filename: string } : {}),
    ...(some(({ takesTag }) => takesTag) ? { if_match: string } : {}),
    ...(tool.effect === 'destroy' ? { confirm: string } : {}),
  };
}

const destroyNote = 'The first call only returns a summary and a `confirm` token; repeat it with the token to do it.';

/**
 * Returns a tool as agents see it. Lists take `query.page`, `query.per_page` and `query.fields`, as the instructions
 * say.
 */
export function listTool(routes: ReadonlyMap<string, AppRoute>, tool: Tool): ListedTool {
  const entries = Object.entries(tool.actions).map(([name, action]) => [name, shapeOf(routes, action)] as const);
  const shapes = entries.map(([, shape]) => shape);
  const common = shapes[0]!.parameters.filter((name) => shapes.every(({ parameters }) => parameters.includes(name)));
  const lines = entries.map(([name, shape]) => lineFor(name, shape));
  return {
    name: tool.name,
    title: tool.title,
    description: [tool.about, ...(tool.effect === 'destroy' ? [destroyNote] : []), ...lines].join('\n'),
    inputSchema: {
      type: 'object',
      properties: propertiesFor(tool, shapes) as Record<string, object>,
      required: ['action', ...common],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { status: { type: 'integer' } }, required: ['status'] },
    annotations: {
      readOnlyHint: tool.effect === 'read',
      ...(tool.effect === 'read' ? {} : { destructiveHint: tool.effect === 'destroy' }),
      openWorldHint: false,
    },
  };
}
