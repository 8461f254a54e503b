/** Decides who may do what; nothing else decides by roles. */
export { operationKindOf } from './operation-kind.ts';
export { decide, describePolicy, grantOf, type OperationKind, rolesWith } from './policy.ts';
export { requireAdministrator, requireOnSite, requireOwn, requireSomewhere } from './require.ts';
