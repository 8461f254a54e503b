/** Where uploads are made and continued, beside the API. */
export const uploadsPath = '/uploads';

/** The one version of tus that is spoken. */
export const tusVersion = '1.0.0';
