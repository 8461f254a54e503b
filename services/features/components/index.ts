/** The door of components: what other folders use of it. */
export { componentBody } from './schema.ts';
export { prepareComponent, storeComponent } from './service.ts';
export { selectComponents } from './sql.ts';
