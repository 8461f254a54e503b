import type { Node, Schema } from '@tiptap/pm/model';
import { readHtml } from './read-html.ts';
import { createHtmlWriter, type HtmlWriter } from './write-html.ts';

/** Stored HTML as a document, with the writer that keeps the source text of what is not edited. */
export interface OpenDocument {
  doc: Node;
  writer: HtmlWriter;
}

/** Opens stored HTML. Without edits `writer.write(doc)` is the same HTML, byte for byte. */
export function openDocument(schema: Schema, html: string): OpenDocument {
  const { content, sources } = readHtml(html);
  const doc = schema.nodeFromJSON({ type: 'doc', content });
  return { doc, writer: createHtmlWriter({ doc, html, sources }) };
}
