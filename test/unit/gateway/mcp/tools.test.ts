import { expect, test } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer';
import { backupOperations } from '../../../../services/gateway/mcp/backups.ts';
import { createToolbox } from '../../../../services/gateway/mcp/call-tool.ts';
import { tools } from '../../../../services/gateway/mcp/tools.ts';
import { routes } from '../../../../services/gateway/routes.ts';

const maxTokens = 8000;
const toolbox = createToolbox({ ofTool: () => [] }, routes);
const named = tools.flatMap(({ actions }) => Object.values(actions).map(({ operation }) => operation));

test('every operation of the API and of backups is an action of one tool', () => {
  const existing = [...routes.map(({ operationId }) => operationId), ...Object.keys(backupOperations)];
  expect(named.toSorted()).toEqual(existing.toSorted());
});

test('an action that deletes for good or replaces by an older state belongs to a tool that asks for a confirmation', () => {
  const destroying = tools
    .filter(({ effect }) => effect === 'destroy')
    .flatMap(({ actions }) => Object.values(actions));
  // what goes to the trash can be restored
  const deleting = routes
    .filter(({ method, operationId }) => method === 'DELETE' && !['trashContent', 'trashMedia'].includes(operationId))
    .map(({ operationId }) => operationId);
  expect(destroying.map(({ operation }) => operation).toSorted()).toEqual(
    [...deleting, 'restoreShell', 'backups.restore'].toSorted(),
  );
  expect(destroying.every(({ destroys }) => destroys)).toBe(true);
});

test('a tool that says it only reads has no operation that changes something', () => {
  const reading = tools.filter(({ effect }) => effect === 'read').flatMap(({ actions }) => Object.values(actions));
  const changing = reading.filter(({ operation }) => {
    const route = routes.find(({ operationId }) => operationId === operation);
    return route && route.method !== 'GET' && !route.transaction;
  });
  expect(changing).toEqual([]);
});

test('the list of tools costs an agent less than 8,000 tokens', () => {
  expect(countTokens(JSON.stringify(toolbox.list))).toBeLessThan(maxTokens);
});

test('names and titles are unique, and annotations say what a tool does', () => {
  expect(new Set(toolbox.list.map(({ name }) => name)).size).toBe(toolbox.list.length);
  expect(new Set(toolbox.list.map(({ title }) => title)).size).toBe(toolbox.list.length);
  for (const { name, annotations } of toolbox.list)
    expect([name, annotations!.readOnlyHint]).toEqual([name, /_(read|check|action)$/.test(name)]);
});
