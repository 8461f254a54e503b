import type { OperationTable } from '../../client/client.ts';
import type { table } from '../../client/operations.ts';

/**
 * Method and path of the operations that commands use. The compiler compares them with the table that is generated from
 * the OpenAPI document, which does not exist in a checkout before `npm run types`.
 */
export const operations = {
  listContent: ['GET', '/sites/{site}/content'],
  createContent: ['POST', '/sites/{site}/content'],
  getContent: ['GET', '/sites/{site}/content/{id}'],
  updateContent: ['PATCH', '/sites/{site}/content/{id}'],
  listMedia: ['GET', '/sites/{site}/media'],
  uploadMedia: ['POST', '/sites/{site}/media'],
  listShellFiles: ['GET', '/sites/{site}/shell/files'],
  readShellFile: ['GET', '/sites/{site}/shell/file/{path}'],
  writeShellArchive: ['POST', '/sites/{site}/shell/archive'],
  previewShellArchive: ['POST', '/sites/{site}/shell/archive/preview'],
  listRedirects: ['GET', '/sites/{site}/redirects'],
  publishSite: ['POST', '/sites/{site}/publish'],
  listReleases: ['GET', '/sites/{site}/releases'],
  explainPage: ['GET', '/sites/{site}/releases/{release}/why'],
  rollBackRelease: ['POST', '/sites/{site}/releases/{release}/rollback'],
  getJob: ['GET', '/jobs/{uuid}'],
  listJobs: ['GET', '/sites/{site}/jobs'],
} as const satisfies Partial<typeof table>;

export type UsedOperation = keyof typeof operations;

/** The same as a table of the client. */
export const operationTable: OperationTable<UsedOperation> = operations;
