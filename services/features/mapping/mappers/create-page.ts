import { createContentMapper } from './create-content.ts';

export const createPage = createContentMapper('create_page', 'page');
