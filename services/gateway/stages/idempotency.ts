import { hash, randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { Reply } from '../../core/reply.ts';
import type { Context, IdempotencyClaim, Stage } from '../context.ts';
import { countIdempotent } from '../metrics.ts';
import {
  claimKey,
  completeKey,
  extendLock,
  findStoredKey,
  type KeyIdentity,
  releaseKey,
  type StoredKey,
} from './idempotency-sql.ts';
import { openReply, sealReply } from './stored-reply.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const maxPathLength = 512;
const lockSeconds = 30;
const renewEveryMs = 10_000;

/**
 * Returns the request's idempotency key. Only POST has one, other methods ignore the header (spec: Idempotency);
 * protocol routes have their own means.
 */
function keyOf(ctx: Context): string | undefined {
  const header = ctx.req.headers['idempotency-key'];
  if (ctx.method !== 'POST' || header === undefined || ctx.route!.body.kind === 'protocol') return undefined;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (!keyPattern.test(key)) {
    throw problem('idempotency_key_invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  }
  return key;
}

/** Returns the path, or its hash if it is too long for the index. */
function nameOfPath(path: string): string {
  return path.length <= maxPathLength ? path : hash('sha256', path, 'base64url');
}

/**
 * Returns the hash that decides whether a retry has "the same body"; includes the query if the route takes parameters
 * in it.
 */
function hashOfRequest({ route, search, bodyHash = '' }: Context): string {
  return route!.query && search !== '' ? hash('sha256', `${bodyHash}${search}`) : bodyHash;
}

/**
 * Claims the key before the handler runs: replay (rule 2), 422 for another body (3), 409 while the first request is
 * running (4). The handler's transaction completes the claim; it is released if there is no final reply (5).
 */
export const claimIdempotency: Stage = async (ctx) => {
  const key = keyOf(ctx);
  if (key === undefined) return undefined;
  const identity: KeyIdentity = { apiKeyId: ctx.caller!.id, method: ctx.method, path: nameOfPath(ctx.path), key };
  const holder = randomUUID();
  const { db } = ctx.app;
  const requestHash = hashOfRequest(ctx);
  if (await claimKey(db, identity, holder, requestHash, lockSeconds)) {
    countIdempotent('first');
    ctx.claim = createClaim(ctx, identity, holder);
    return undefined;
  }
  const stored = await findStoredKey(db, identity);
  if (stored && stored.body_hash !== requestHash) {
    countIdempotent('other_body');
    throw problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body; use a new key for a new request.',
      { details: [{ path: 'Idempotency-Key', message: 'was used with another body' }] },
    );
  }
  if (!stored || stored.status === null) {
    countIdempotent('in_flight');
    throw problem(
      'idempotency_in_flight',
      'The first request with this Idempotency-Key is still running; try again shortly.',
      { retryAfterSeconds: 1 },
    );
  }
  countIdempotent('replayed');
  return replay(ctx, identity, stored);
};

function replay({ app }: Context, identity: KeyIdentity, stored: StoredKey): Promise<Reply> {
  const reply = { ...stored, status: stored.status! };
  return openReply(app, app.db, identity, reply, { 'Idempotency-Replayed': 'true' });
}

function createClaim(ctx: Context, identity: KeyIdentity, holder: string): IdempotencyClaim {
  const { app } = ctx;
  const timer = setInterval(() => {
    extendLock(app.db, identity, holder, lockSeconds).catch((error: unknown) =>
      app.log.warn({ err: error }, 'idempotency lock not extended'),
    );
  }, renewEveryMs);
  timer.unref();

  return {
    async complete(db: Db, reply: Reply) {
      const held = await completeKey(db, identity, holder, reply.status, await sealReply(app, db, identity, reply));
      // our lock expired and another request claimed the key: our transaction must not commit
      if (!held)
        throw problem(
          'idempotency_in_flight',
          'Another request with this Idempotency-Key is running; try again shortly.',
          { retryAfterSeconds: 1 },
        );
    },
    async release() {
      await releaseKey(app.db, identity, holder);
    },
    stop: () => clearInterval(timer),
  };
}
