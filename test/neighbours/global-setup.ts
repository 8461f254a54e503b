import { setUpStack } from '../harness/global-setup.ts';

/** The suite measures the product without fault injection. */
export default () => setUpStack({ FIELDSTONE_TEST_INJECT_40001: 'false' });
