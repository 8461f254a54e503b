import { setUpStack } from '../harness/global-setup.ts';

/** The suite measures the product as it is: no transaction is refused on purpose. */
export default () => setUpStack({ FIELDSTONE_TEST_INJECT_40001: 'false' });
