/** The public interface of components. */
export { componentBody } from './schema.ts';
export { prepareComponent, storeComponent } from './service.ts';
export { selectComponents } from './sql.ts';
