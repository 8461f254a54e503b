import { ErrorCode, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import type { AgentRequest, Toolbox } from './call-tool.ts';
import { enclose } from './result.ts';

const guideUri = 'fieldstone://guide';
const jsonType = 'application/json';

/** Resources below a site; the names in braces are the parameters of the operation. */
const templates = [
  {
    uriTemplate: 'fieldstone://sites/{site}/guide',
    name: 'Authoring guide of a site',
    description: 'What bodies and templates of this site may contain, with its components and languages',
    operation: 'getSiteAuthoringGuide',
    mimeType: jsonType,
  },
  {
    uriTemplate: 'fieldstone://sites/{site}/content/{id}',
    name: 'Content item',
    description: 'A post, page or other item as stored',
    operation: 'getContent',
    mimeType: jsonType,
  },
  {
    uriTemplate: 'fieldstone://sites/{site}/shell/{+path}',
    name: 'Shell file',
    description: 'A template, style sheet or script of the theme',
    operation: 'readShellFile',
    mimeType: 'text/plain',
  },
] as const;

export const resourceTemplates = templates.map(({ operation: _, ...template }) => template);

const patterns = templates.map(({ uriTemplate, ...template }) => ({
  ...template,
  pattern: new RegExp(`^${uriTemplate.replace(/\{\+(\w+)\}/g, '(?<$1>.+)').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** Returns the general guide, and the guide of each of the first 100 sites that the agent may see. */
export async function listResources(toolbox: Toolbox, request: AgentRequest) {
  const general = {
    uri: guideUri,
    name: 'Authoring guide',
    description: 'What bodies and templates may contain',
    mimeType: jsonType,
  };
  const { data } = await toolbox.read(request, 'listSites', {});
  const sites = (data as { slug: string; name: string }[] | undefined) ?? [];
  const guides = sites.map(({ slug, name }) => ({
    uri: `fieldstone://sites/${slug}/guide`,
    name: `Authoring guide of ${name}`,
    mimeType: jsonType,
  }));
  return { resources: [general, ...guides] };
}

const unknown = (uri: string) => new McpError(ErrorCode.InvalidParams, `There is no resource ${uri.slice(0, 200)}.`);

function find(uri: string) {
  if (uri === guideUri) return { operation: 'getAuthoringGuide', mimeType: jsonType, parameters: {} };
  for (const { pattern, operation, mimeType } of patterns) {
    const groups = pattern.exec(uri)?.groups;
    if (!groups) continue;
    try {
      const decoded = Object.entries(groups).map(([name, text]): [string, string] => [name, decodeURIComponent(text)]);
      return { operation, mimeType, parameters: Object.fromEntries(decoded) };
    } catch {
      throw unknown(uri); // a broken percent-escape
    }
  }
  throw unknown(uri);
}

/** Reads a resource through the stages of its operation, marked as untrusted content. Throws McpError. */
export async function readResource(toolbox: Toolbox, request: AgentRequest, uri: string): Promise<ReadResourceResult> {
  const { operation, mimeType, parameters } = find(uri);
  const { data, error } = await toolbox.read(request, operation, parameters);
  if (error) throw new McpError(ErrorCode.InvalidParams, `${error.code}: ${error.message}`);
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { contents: [{ uri, mimeType, text: enclose(text), _meta: { 'fieldstone/content_trust': 'untrusted' } }] };
}
