/** The path at which uploads are created and continued, outside the API's base path. */
export const uploadsPath = '/uploads';

/** The only supported version of tus. */
export const tusVersion = '1.0.0';
