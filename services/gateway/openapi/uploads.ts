import { tusVersion, uploadsPath } from '../../features/media/index.ts';
import type { AppRoute } from '../../features/route.ts';
import { createUploadRoutes } from '../routes.ts';
import { commonHeaders, failuresOf } from './errors.ts';
import { descriptionOf, openApiPath, pathParametersOf } from './operation.ts';

type Json = Record<string, unknown>;

/** The declarations alone: nothing is served here. */
export const uploadRoutes = createUploadRoutes({
  handle: () => Promise.reject(new Error('The document serves no uploads.')),
});

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});
const bytes = (minimum = 0): Json => ({ type: 'integer', minimum });
const headerOf = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

const resumable = header('Tus-Resumable', 'The version of the protocol', { const: tusVersion });
const offset = headerOf('Number of bytes received', bytes());

/** The parts of an operation that its declaration does not describe: headers and bytes. */
interface ProtocolPart {
  description: string;
  parameters?: Json[];
  requestBody?: Json;
  replyHeaders?: Json;
}

const parts: Record<string, ProtocolPart> = {
  beginUpload: {
    description: `The reply names the upload in \`Location\`. Uploads follow tus ${tusVersion} (tus.io), without concatenation and deferred lengths.`,
    parameters: [
      header('Upload-Length', 'Size of the file in bytes', bytes(1)),
      header(
        'Upload-Metadata',
        'Comma-separated pairs of a name and its value in base64: `site`, `filename`, `alt`, `decorative`',
        {
          type: 'string',
          minLength: 1,
        },
      ),
    ],
    replyHeaders: { Location: headerOf('The URL of the upload', { type: 'string', format: 'uri' }) },
  },
  readUploadOffset: {
    description: 'Continue from `Upload-Offset` after a broken connection.',
    replyHeaders: { 'Upload-Offset': offset, 'Upload-Length': headerOf('Size of the file in bytes', bytes(1)) },
  },
  continueUpload: {
    description: 'The last bytes add the file to the library; `X-Media-Id` then names the item.',
    parameters: [header('Upload-Offset', 'Number of bytes received before these', bytes())],
    requestBody: {
      required: true,
      content: {
        'application/offset+octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
    replyHeaders: {
      'Upload-Offset': offset,
      'X-Media-Id': headerOf('The id of the item, when the upload is complete'),
    },
  },
  cancelUpload: { description: 'The bytes that were received are deleted.' },
};

function operationOf(route: AppRoute, origin: string): Json {
  const { description, parameters = [], requestBody, replyHeaders = {} } = parts[route.operationId]!;
  const success = {
    description: route.reply.description ?? 'Done; no body',
    headers: { ...commonHeaders, ...replyHeaders },
  };
  return {
    ...descriptionOf({ ...route, description }),
    servers: [{ url: origin }],
    parameters: [...pathParametersOf(route), resumable, ...parameters],
    ...(requestBody ? { requestBody } : {}),
    responses: { [route.reply.status]: success, ...failuresOf(route) },
  };
}

/** Returns the paths of resumable uploads, which are outside the base. */
export function uploadPaths(origin: string): Json {
  const paths: Record<string, Json> = { [uploadsPath]: {} };
  for (const route of uploadRoutes)
    (paths[openApiPath(route.path)] ??= {})[route.method.toLowerCase()] = operationOf(route, origin);
  return paths;
}
