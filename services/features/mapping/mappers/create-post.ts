import { createContentMapper } from './create-content.ts';

export const createPost = createContentMapper('create_post', 'post');
