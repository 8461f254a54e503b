import { expect, test } from '@jest/globals';
import { renderEventsPage } from '../../../scripts/events-doc.ts';

// rule: beyond.21
test('docs/events.md has the catalogue of events as it is declared', () => {
  const { present, wanted } = renderEventsPage();
  expect(present).toBe(wanted); // otherwise: npm run docs:events
});
