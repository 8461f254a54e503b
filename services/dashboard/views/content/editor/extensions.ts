import { type AnyExtension, getSchema } from '@tiptap/core';
import { Blockquote } from '@tiptap/extension-blockquote';
import { Bold } from '@tiptap/extension-bold';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { HorizontalRule } from '@tiptap/extension-horizontal-rule';
import { Italic } from '@tiptap/extension-italic';
import { BulletList, ListKeymap, OrderedList } from '@tiptap/extension-list';
import { Strike } from '@tiptap/extension-strike';
import { Text } from '@tiptap/extension-text';
import { Underline } from '@tiptap/extension-underline';
import { Dropcursor, Gapcursor, UndoRedo } from '@tiptap/extensions';
import type { Schema } from '@tiptap/pm/model';
import { Component, Image } from './embeds.ts';
import {
  Container,
  Line,
  OpaqueBlock,
  OpaqueInline,
  SourceAttributes,
  SourceCode,
  SourceCodeBlock,
  SourceLink,
  SourceListItem,
  SourceParagraph,
  Span,
} from './nodes.ts';
import { Tables } from './table.ts';

/** Everything that an article may consist of, with Markdown shortcuts and keys. */
export const documentExtensions: readonly AnyExtension[] = [
  Document,
  Text,
  SourceParagraph,
  Heading,
  Blockquote,
  BulletList,
  OrderedList,
  SourceListItem,
  SourceCodeBlock,
  HorizontalRule,
  HardBreak,
  Image,
  Component,
  Tables,
  Container,
  Line,
  OpaqueBlock,
  OpaqueInline,
  SourceLink,
  Bold,
  Italic,
  Underline,
  Strike,
  SourceCode,
  Span,
  SourceAttributes,
];

/** What only an editor with a page needs. */
export const editingExtensions: readonly AnyExtension[] = [UndoRedo, Dropcursor, Gapcursor, ListKeymap];

/** The schema of the editor's documents. */
export const createDocumentSchema = (): Schema => getSchema([...documentExtensions]);
