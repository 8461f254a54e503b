import { jest } from '@jest/globals';

// For suites that kill processes, which import this file: a kill lands at a moment that no test can choose, and may leave nothing to
// observe. The test runs again, and the log keeps why; a real fault fails every time.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
