/** The door of components: what other folders use. */
export { componentBody } from './schema.ts';
export { prepareComponent, storeComponent } from './service.ts';
export { selectComponents } from './sql.ts';
