import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import { twig } from './twig.ts';
import type { CodeLanguage } from './types.ts';

const languages: Readonly<Record<CodeLanguage, () => Extension>> = {
  twig,
  html: () => html(),
  css: () => css(),
  js: () => javascript(),
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  json: () => json(),
  text: () => [],
};

export const languageSupport = (language: CodeLanguage): Extension => languages[language]();
