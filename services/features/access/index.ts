/** The one policy module: who may do what. Nothing else decides by roles. */
export { operationKindOf } from './operation-kind.ts';
export { decide, describePolicy, grantOf, type OperationKind, rolesWith } from './policy.ts';
export { requireAdministrator, requireOnSite, requireOwn, requireSomewhere } from './require.ts';
