import { Text } from '@codemirror/state';

/** The ends of lines that the editor knows; its documents have none of them. */
const lineEnd = /\r\n?|\n/;

/** Whether a document has the lines of a text, whichever line ending the text has. */
export const isSameText = (doc: Text, text: string): boolean => doc.eq(Text.of(text.split(lineEnd)));

/** The text of a document, with the line ending that `before`, the text it was made of, has first. */
export const textOf = (doc: Text, before: string): string => doc.sliceString(0, doc.length, lineEnd.exec(before)?.[0]);
