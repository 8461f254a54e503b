import { jest } from '@jest/globals';

// Imported by suites that kill processes: a test cannot choose the moment of a kill, which may leave nothing to
// observe. The test runs again, and the log keeps the reason; a real fault fails every time.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
