import { InvalidRequestError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { json, type Reply } from '../../core/reply.ts';
import {
  exchangeToken,
  lifetimes,
  onlyOne,
  readTokenRequest,
  registerClient,
  revokeToken,
  userOfRequest,
} from '../../features/agents/index.ts';
import type { App } from '../../features/app.ts';
import type { Context, Stage } from '../context.ts';
import { countOAuth } from '../metrics.ts';
import type { PlainHandler } from '../server.ts';
import { readJsonOf } from '../stages/body.ts';
import { createLimitStage } from '../stages/limit.ts';
import { anyOrigin, preflight } from './cors.ts';
import { oauthErrorReply } from './errors.ts';
import { readForm } from './form.ts';

const maxMetadataBytes = 16 * 1024;
const jsonHeaders = { ...anyOrigin, 'Content-Type': 'application/json' };

/** Creates the endpoints that clients call without a user: registration, token and revocation. */
export function createOAuthEndpoints(app: App, limitRegistration: Stage): PlainHandler[] {
  const { db, config } = app;
  const byAddress = (ctx: Context) => ctx.clientIp;
  const limitAddress = createLimitStage({ db, name: 'token-ip', points: config.rateLimitTokenIp }, byAddress);
  const limitAccount = createLimitStage(
    { db, name: 'token-account', points: config.rateLimitTokenAccount },
    (ctx) => ctx.account!,
  );

  async function register(ctx: Context): Promise<Reply> {
    await limitRegistration(ctx);
    const client = await registerClient(db, await readJsonOf(ctx, maxMetadataBytes));
    const issuedAt = Math.floor(Date.now() / 1000);
    const record = {
      client_id: client.id,
      client_id_issued_at: issuedAt,
      client_name: client.name,
      redirect_uris: client.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      client_id_expires_at: issuedAt + lifetimes.unusedClient,
    };
    return json(201, record, jsonHeaders);
  }

  async function token(ctx: Context): Promise<Reply> {
    await limitAddress(ctx);
    const request = readTokenRequest(await readForm(ctx), config);
    const userId = await userOfRequest(db, request);
    if (userId !== undefined) {
      ctx.account = userId;
      await limitAccount(ctx);
    }
    return json(200, await exchangeToken(db, request), { ...jsonHeaders, Pragma: 'no-cache' });
  }

  async function revoke(ctx: Context): Promise<Reply> {
    await limitAddress(ctx);
    const form = await readForm(ctx);
    const tokenToRevoke = onlyOne(form, 'token');
    if (tokenToRevoke === undefined) throw new InvalidRequestError('token is required.');
    await revokeToken(db, tokenToRevoke, onlyOne(form, 'client_id'));
    return json(200, {}, jsonHeaders);
  }

  const endpoint = (name: 'register' | 'token' | 'revoke', run: (ctx: Context) => Promise<Reply>): PlainHandler[] => {
    const path = `/oauth/${name}`;
    const handle = async (ctx: Context) => {
      const reply = await run(ctx).catch((error: unknown) => oauthErrorReply(ctx, error));
      countOAuth(name, reply.status);
      return reply;
    };
    return [{ method: 'POST', path, handle }, preflight(path, 'POST')];
  };
  return [...endpoint('register', register), ...endpoint('token', token), ...endpoint('revoke', revoke)];
}
