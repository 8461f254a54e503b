/** The public interface of agents: the OAuth clients, grants and tokens of the agent endpoint. */
export {
  type AuthorizationRequest,
  defaultScopes,
  onlyOne,
  RedirectedError,
  readAuthorization,
  redirectTo,
  resourceOf,
} from './authorization.ts';
export { findClient, registerClient } from './clients.ts';
export { deleteExpiredAgents } from './expired.ts';
export { lifetimes } from './lifetimes.ts';
export {
  allowAgent,
  exchangeToken,
  readTokenRequest,
  revokeToken,
  userOfRequest,
} from './tokens.ts';
export { verifyAccessToken } from './verify.ts';
