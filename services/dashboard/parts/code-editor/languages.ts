import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import { twig } from './twig.ts';

/** The languages that the editor highlights and completes. */
const languages = {
  twig,
  html: () => html(),
  css: () => css(),
  js: () => javascript(),
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  json: () => json(),
  text: () => [],
} satisfies Record<string, () => Extension>;

export type CodeLanguage = keyof typeof languages;

export const languageSupport = (language: CodeLanguage): Extension => languages[language]();
