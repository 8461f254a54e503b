/** The public interface of integrations. */
export type { MapperName } from './mapper-names.ts';
export { presentIntegration } from './present.ts';
export { integrationSlugPattern } from './schema.ts';
export { integrationSecrets } from './secrets.ts';
export { requireIntegration, requireIntegrationBySlug, rotateIntegration, updateIntegration } from './service.ts';
export { selectAllIntegrations, selectIntegrationById, selectIntegrationIds } from './sql.ts';
