/** The languages that the editor highlights and completes. */
export type CodeLanguage = 'twig' | 'html' | 'css' | 'js' | 'jsx' | 'ts' | 'tsx' | 'json' | 'text';

/** Something to say about a line. */
export interface CodeFault {
  /** From 1. */
  line: number;
  /** From 1; without it the whole line is meant. */
  column?: number;
  message: string;
  severity?: 'error' | 'warning' | 'info';
}
