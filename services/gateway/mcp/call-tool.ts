import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { Ajv, type ValidateFunction } from 'ajv';
import { type ErrorDetail, invalid, Problem } from '../../core/errors.ts';
import type { Caller } from '../../core/http.ts';
import { grants } from '../../core/scopes.ts';
import { requireStorable } from '../../core/stored-json.ts';
import type { AppRoute } from '../../features/route.ts';
import type { Context } from '../context.ts';
import { countAgentCall } from '../metrics.ts';
import { authorizeStages, type Stages } from '../pipeline.ts';
import { backupOperations, runBackupOperation } from './backups.ts';
import { confirmationFor, isConfirmed } from './confirmation.ts';
import { confirmationResult, errorResult, ownResult, resultOf } from './result.ts';
import { type CallArguments, type Outcome, refusalOf, runOperation } from './run-operation.ts';
import { listTool, shapeOf } from './schemas.ts';
import { type Action, type Tool, tools } from './tools.ts';

const describeTool: ListedTool = {
  name: 'describe_action',
  title: 'Describe an action',
  description: 'Returns the exact JSON Schemas of an action: its query, body and members for `query.fields`.',
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string' }, action: { type: 'string' } },
    required: ['tool', 'action'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { status: { type: 'integer' } }, required: ['status'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The request to the agent endpoint in which a tool is called, and its caller. */
export interface AgentRequest {
  ctx: Context;
  caller: Caller;
}

/** The tools of the agent endpoint. */
export interface Toolbox {
  list: ListedTool[];
  /** Calls a tool. Does not throw for errors of the agent: the result then says what to fix. */
  call(request: AgentRequest, name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  /** Runs an operation that only reads, for resources. */
  read(request: AgentRequest, operation: string, parameters: Record<string, string>): Promise<Outcome>;
}

const problemOutcome = ({ status, code, message, details }: Problem): Outcome => ({
  status,
  error: { code, message, ...(details ? { details } : {}) },
});

/** Members whose text the operation checks, because bodies may contain text that other members may not. */
const texts = new Set(['text', 'base64', 'body_html', 'body_markdown', 'items']);

/** Returns the arguments, and the members of `body`, without these texts. */
function withoutTexts(args: Record<string, unknown>): Record<string, unknown> {
  const keep = (value: object) => Object.fromEntries(Object.entries(value).filter(([name]) => !texts.has(name)));
  const { body } = args;
  return { ...keep(args), ...(typeof body === 'object' && body !== null ? { body: keep(body) } : {}) };
}

/** Maximum number of faults listed for one call. */
const maxDetails = 20;

function detailsOf({ errors }: ValidateFunction): ErrorDetail[] {
  return (errors ?? []).slice(0, maxDetails).map(({ instancePath, message = 'is not valid', params }) => ({
    path: instancePath.slice(1).replaceAll('/', '.'),
    message: `${message}${'additionalProperty' in params ? ` (${params.additionalProperty})` : ''}${'allowedValues' in params ? `: ${params.allowedValues.join(', ')}` : ''}`,
  }));
}

/** Returns the tools over these routes. Throws if a tool names an operation that does not exist. */
export function createToolbox(stages: Pick<Stages, 'ofTool'>, list: readonly AppRoute[]): Toolbox {
  const routes = new Map(list.map((route) => [route.operationId, route]));
  const listed = [...tools.map((tool) => listTool(routes, tool)), describeTool];
  const ajv = new Ajv({ strict: false });
  const validators = new Map(listed.map((tool) => [tool.name, ajv.compile(tool.inputSchema)]));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  function describe(name: string, action: string): CallToolResult {
    const found = byName.get(name)?.actions[action];
    if (!found) throw invalid([{ path: 'action', message: `is not an action of ${name}` }]);
    const { summary, scope, parameters, optional, query, body, members } = shapeOf(routes, found);
    return ownResult({ summary, scope, parameters, optional, query, body, fields: members });
  }

  /** Returns the record that a destructive action concerns, if the caller may use a route that reads it. */
  async function currentRecord({ ctx, caller }: AgentRequest, route: AppRoute, args: CallArguments): Promise<unknown> {
    const path = route.path.replace(/\/purge$/, '');
    const reader = list.find((one) => one.method === 'GET' && one.path === path && !one.reply.raw);
    if (!reader || reader.operationId === 'readShellFile' || !grants(caller.scopes, reader.scope)) return undefined;
    const { status, data } = await runOperation(ctx, stages, caller, reader, {
      ...args,
      if_match: undefined,
      query: {},
    });
    return status === 200 ? data : undefined;
  }

  /** Checks a destructive call without running it. Returns its error, or the summary with the confirmation token. */
  async function summarise(request: AgentRequest, tool: Tool, action: Action, args: CallArguments) {
    const { ctx, caller } = request;
    const route = routes.get(action.operation);
    const scope = backupOperations[action.operation]?.scope;
    if (scope && !grants(caller.scopes, scope))
      throw new Problem('scope_missing', `This agent lacks the scope ${scope}.`);
    if (route) {
      const refusal = await refusalOf(ctx, authorizeStages, caller, route, args);
      if (refusal) return errorResult(refusal);
    }
    const names = shapeOf(routes, action);
    const named = [...names.parameters, ...names.optional].filter((name) => args[name] !== undefined);
    const target = named.map((name) => `${name} ${JSON.stringify(args[name])}`).join(', ');
    const token = confirmationFor(ctx.app.cipher, { grantId: caller.id, tool: tool.name, args });
    return confirmationResult(action.destroys!, target, token, route && (await currentRecord(request, route, args)));
  }

  async function run(request: AgentRequest, tool: Tool, args: CallArguments): Promise<CallToolResult> {
    const { ctx, caller } = request;
    const action = tool.actions[args.action]!;
    const { cipher } = ctx.app;
    if (tool.effect === 'destroy') {
      const call = { grantId: caller.id, tool: tool.name, args };
      if (args.confirm === undefined) return summarise(request, tool, action, args);
      if (!isConfirmed(cipher, call, args.confirm))
        throw invalid([{ path: 'confirm', message: 'is not the token of this call, or has expired; call without it' }]);
    }
    const route = routes.get(action.operation);
    const outcome = route
      ? await runOperation(ctx, stages, caller, route, args)
      : await runBackupOperation(ctx, caller, action.operation, args);
    return resultOf(outcome);
  }

  async function attempt(request: AgentRequest, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    const validate = validators.get(name);
    if (!validate) throw invalid([{ path: 'name', message: `there is no tool ${name.slice(0, 100)}` }]);
    if (!validate(args)) throw invalid(detailsOf(validate));
    requireStorable(withoutTexts(args)); // the operation checks the texts
    if (name === describeTool.name) return describe(String(args['tool']), String(args['action']));
    return run(request, byName.get(name)!, args as CallArguments);
  }

  return {
    list: listed,
    async call(request, name, args) {
      const toolName = validators.has(name) ? name : 'unknown';
      try {
        const result = await attempt(request, name, args);
        const isConfirmation = result.structuredContent && 'confirmation' in result.structuredContent;
        countAgentCall(toolName, result.isError ? 'error' : isConfirmation ? 'confirmation' : 'ok');
        return result;
      } catch (error) {
        countAgentCall(toolName, 'error');
        if (error instanceof Problem) return errorResult(problemOutcome(error));
        request.ctx.app.log.error({ err: error, tool: toolName }, 'a tool failed');
        return errorResult(problemOutcome(new Problem('internal_error', 'Something went wrong on our side.')));
      }
    },
    read: ({ ctx, caller }, operation, parameters) =>
      runOperation(ctx, stages, caller, routes.get(operation)!, { action: '', ...parameters }),
  };
}
