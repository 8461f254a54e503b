// Keeps a stack running, so that single test files can be run against it quickly:
//   npm run test:serve        and, in another terminal,
//   FIELDSTONE_TEST_STACK=reuse npm run test:stack -- test/contract/sites.test.ts
import { writeFileSync } from 'node:fs';
import { stackFile, startStack } from './stack.ts';

const { stop, ...info } = await startStack();
writeFileSync(stackFile, JSON.stringify(info));
process.stdout.write(`${JSON.stringify({ gateways: info.gateways, edges: info.edges })}\nready\n`);
const end = async () => {
  await stop();
  process.exit(0);
};
process.once('SIGINT', end);
process.once('SIGTERM', end);
setInterval(() => undefined, 1 << 30);
