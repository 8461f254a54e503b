import { z } from 'zod';
import { sample } from '../../core/sample.ts';
import { timestampText } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { ShellFileRow, SnapshotRow } from './sql.ts';

const fileExample = {
  path: 'style.css',
  bytes: 1024,
  sha256: sample.sha256,
  content_type: 'text/css; charset=utf-8',
  updated_at: sample.at,
};

export const shellFileRecord = z
  .object({
    path: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    content_type: z.string(),
    updated_at: timestampText,
  })
  .meta({ id: 'ShellFile', example: fileExample });

const warnings = z.array(z.object({ code: z.string(), message: z.string() }));

export const writtenFileRecord = shellFileRecord
  .extend({
    warnings,
    job: z
      .uuid()
      .nullable()
      .describe(
        'The rebuild that will contain the write, one for a whole burst; null when the bytes were already there',
      ),
  })
  .meta({ id: 'WrittenShellFile', example: { ...fileExample, warnings: [], job: sample.other } });

const themeMode = z.enum(['replace', 'merge']);

export const themeQuery = z.object({
  mode: themeMode.default('replace').describe('replace: files missing in the archive are removed; merge: they stay'),
});

export const themePreviewRecord = z.object({ url: z.string(), expires_at: timestampText }).meta({
  id: 'ThemePreview',
  example: { url: 'https://edge.example.com/previews/abc/', expires_at: sample.at },
});

export const writtenTheme = z
  .object({
    mode: themeMode,
    files: z.int().describe('Files in the archive'),
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
    snapshot: z.string().nullable().describe('A snapshot of the shell before the change; null when nothing changed'),
    job: z.uuid().nullable().describe('The rebuild that will contain the theme; null when nothing changed'),
    warnings,
  })
  .meta({
    id: 'WrittenTheme',
    example: {
      mode: 'replace',
      files: 22,
      added: 2,
      changed: 3,
      removed: 1,
      snapshot: sample.id,
      job: sample.other,
      warnings: [],
    },
  });

export const snapshotRecord = z
  .object({
    rev: z.string().describe('The revision, for `diffShell` and `restoreShell`'),
    files: z.int(),
    created_at: timestampText,
  })
  .meta({ id: 'ShellSnapshot', example: { rev: sample.other, files: 22, created_at: sample.at } });

export const restoreRecord = z.object({ restored: z.string(), snapshot: z.string(), job: z.uuid() }).meta({
  id: 'ShellRestore',
  example: { restored: sample.id, snapshot: sample.other, job: '7d1f7f30-93a4-4b8e-8f2a-3e1d7e0c5a77' },
});

export function presentShellFile(row: ShellFileRow) {
  return {
    path: row.path,
    bytes: row.bytes,
    sha256: row.hash,
    content_type: row.content_type,
    updated_at: formatTimestamp(row.updated_at),
  };
}

export function presentSnapshot(row: SnapshotRow) {
  return { rev: row.id, files: row.files, created_at: formatTimestamp(row.created_at) };
}
