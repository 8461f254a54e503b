import { expect, test } from '@jest/globals';
import { createComponentInspector } from '../../../services/engines/sandbox/components/inspector.ts';

const component = { handle: 'a', type: 'react', code: 'module.exports.default = () => null;', schema: null } as const;

test('a process that cannot start is not laid at the door of the component', async () => {
  const inspector = createComponentInspector();
  const broken = createComponentInspector({ entry: import.meta.filename });
  try {
    expect((await inspector.inspect('k', component))?.trialFault).toBeNull();
    await expect(broken.inspect('k', component)).rejects.toMatchObject({ code: 'unstarted' });
  } finally {
    await Promise.all([inspector.stop(), broken.stop()]);
  }
}, 60_000);
