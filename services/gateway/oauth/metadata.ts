import type { Config } from '../../core/config.ts';
import { json } from '../../core/reply.ts';
import { defaultScopes, resourceOf } from '../../features/agents/index.ts';
import type { PlainHandler } from '../server.ts';
import { anyOrigin, preflight } from './cors.ts';

const resourcePath = '/.well-known/oauth-protected-resource';
const serverPath = '/.well-known/oauth-authorization-server';

/** Returns the URL of the protected-resource metadata, which a 401 of the agent endpoint names (RFC 9728, 5.1). */
export const resourceMetadataUrl = ({ url }: Pick<Config, 'url'>): string => `${url}${resourcePath}/mcp`;

/** Returns the metadata of the protected resource, the agent endpoint (RFC 9728, 2). */
const resourceMetadata = (config: Pick<Config, 'url'>) => ({
  resource: resourceOf(config),
  resource_name: 'Fieldstone',
  authorization_servers: [config.url],
  scopes_supported: defaultScopes,
  bearer_methods_supported: ['header'],
});

/** Returns the metadata of the authorization server (RFC 8414, 2). */
const serverMetadata = ({ url }: Pick<Config, 'url'>) => ({
  issuer: url,
  authorization_endpoint: `${url}/oauth/authorize`,
  token_endpoint: `${url}/oauth/token`,
  registration_endpoint: `${url}/oauth/register`,
  revocation_endpoint: `${url}/oauth/revoke`,
  scopes_supported: defaultScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

/** Creates the handlers of both metadata documents. */
export function createMetadataHandlers(config: Pick<Config, 'url'>): PlainHandler[] {
  const serve = (path: string, value: object): PlainHandler[] => [
    {
      method: 'GET',
      path,
      handle: async () =>
        json(200, value, { ...anyOrigin, 'Content-Type': 'application/json', 'Cache-Control': 'max-age=300' }),
    },
    preflight(path, 'GET'),
  ];
  return [
    ...serve(resourcePath, resourceMetadata(config)),
    ...serve(`${resourcePath}/mcp`, resourceMetadata(config)),
    ...serve(serverPath, serverMetadata(config)),
  ];
}
