import type { App } from '../../features/app.ts';
import type { PlainHandler } from '../server.ts';
import { createLimitStage } from '../stages/limit.ts';
import { createConsentHandlers } from './consent.ts';
import { createOAuthEndpoints } from './endpoints.ts';
import { createMetadataHandlers } from './metadata.ts';

const hourSeconds = 60 * 60;

/** Creates the handlers of the authorization server of the agent endpoint. */
export function createOAuthHandlers(app: App): PlainHandler[] {
  const { db, config } = app;
  const options = { db, points: config.rateLimitRegistration, windowSeconds: hourSeconds };
  // a metadata document that has to be fetched counts as a registration
  const limitRegistration = createLimitStage({ ...options, name: 'agent-registration' }, (ctx) => ctx.clientIp);
  return [
    ...createMetadataHandlers(config),
    ...createConsentHandlers(app, limitRegistration),
    ...createOAuthEndpoints(app, limitRegistration),
  ];
}
