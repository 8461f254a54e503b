import { html, htmlLanguage } from '@codemirror/lang-html';
import { defineLanguageFacet, Language, LanguageSupport, languageDataProp } from '@codemirror/language';
import { NodeType } from '@lezer/common';
import { createTwigParser } from './twig-parser.ts';

const data = defineLanguageFacet({ commentTokens: { block: { open: '{#', close: '#}' } } });

const parser = createTwigParser(
  (name) => NodeType.define({ id: 0, name, top: true, props: [[languageDataProp, data]] }),
  htmlLanguage.parser,
);

/** Twig templates of HTML. */
export const twigLanguage = new Language(data, parser, [], 'twig');

export const twig = (): LanguageSupport => new LanguageSupport(twigLanguage, [html().support]);
