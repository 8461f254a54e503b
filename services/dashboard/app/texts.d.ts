/** The text of a file (build.ts). */
declare module '*.txt' {
  const text: string;
  export default text;
}
