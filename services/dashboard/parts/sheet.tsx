/**
 * Loads the style sheet of a view, once. The view is shown when the sheet is there. `url` comes from an import such as
 * `import url from './content.css?url'`.
 */
export const Sheet = ({ url }: { url: string }) => <link rel="stylesheet" href={url} precedence="view" />;
