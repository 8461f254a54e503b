/** The URL of a style sheet that a view loads itself (build.ts). */
declare module '*.css?url' {
  const url: string;
  export default url;
}
