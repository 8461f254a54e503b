import type { MapperName } from '../../integrations/index.ts';
import { autoseo } from './autoseo.ts';
import { createPage } from './create-page.ts';
import { createPost } from './create-post.ts';
import { importMediaMapper } from './import-media.ts';
import type { Mapper } from './mapper.ts';
import { upsertComponentMapper } from './upsert-component.ts';

const all: readonly Mapper[] = [autoseo, createPost, createPage, importMediaMapper, upsertComponentMapper];

const byName = new Map(all.map((mapper) => [mapper.name, mapper]));

/** The name of each mapper, and the schema of its payload. */
export const mapperPayloads = all.map(({ name, payload }) => ({ name, payload }));

export function mapperOf(name: MapperName): Mapper {
  return byName.get(name)!;
}
