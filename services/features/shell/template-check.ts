import type { App } from '../app.ts';

export interface ShellWarning {
  code: string;
  message: string;
}

/**
 * Returns a warning with the line of a template's syntax error; the template is stored nevertheless (contract: Shell
 * paths).
 */
export async function checkTemplate(
  app: Pick<App, 'templates'>,
  key: string,
  { path, data }: { path: string; data: Buffer },
): Promise<ShellWarning[]> {
  if (!path.toLowerCase().endsWith('.twig')) return [];
  const fault = await app.templates.check(key, path, data.toString('utf8'));
  if (!fault) return [];
  const { line, column, message } = fault;
  return [
    { code: 'template_syntax', message: `${path}, line ${line}${column ? `, column ${column}` : ''}: ${message}` },
  ];
}
