/** The path at which uploads are created and continued, outside the API's base path. */
export const uploadsPath = '/uploads';

/** The path of the same uploads in the dashboard, whose browser sends a cookie and no key. */
export const dashboardUploadsPath = `/dashboard${uploadsPath}`;

/** The only supported version of tus. */
export const tusVersion = '1.0.0';
