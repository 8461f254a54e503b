/** The API of TypeScript 5 under the name by which `openapi-typescript` imports it: see build-client.ts. */
export { ts as default } from '@ts-morph/common';
