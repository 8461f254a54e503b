import { jest } from '@jest/globals';

// A test against real engines on a busy machine may lose a race that no user would notice. It is tried again, and the
// log keeps what went wrong the first time; a real fault fails every time.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
