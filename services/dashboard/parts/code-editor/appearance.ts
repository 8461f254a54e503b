import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of tokens; the variables are in code-editor.css, so that both themes follow. */
const highlighting = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.brace, tags.definitionKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--code-tag)' },
  { tag: [tags.string, tags.attributeValue, tags.color, tags.url], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.unit, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.className], color: 'var(--code-function)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--code-name)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

/** The nonce of the page's Content-Security-Policy: the editor adds style elements. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export const appearance = (): Extension => [
  syntaxHighlighting(highlighting),
  EditorView.cspNonce.of(nonce()),
  EditorView.theme({ '.cm-scroller': { fontFamily: 'var(--mono)' } }),
];
