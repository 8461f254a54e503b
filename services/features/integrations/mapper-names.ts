/** The mappers of an integration, which has exactly one (spec: Mappers). */
export const mapperNames = ['autoseo', 'create_post', 'create_page', 'import_media', 'upsert_component'] as const;
export type MapperName = (typeof mapperNames)[number];
