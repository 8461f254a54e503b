import { jest } from '@jest/globals';

// Tests against engines end when what they wait for has happened. The timeout is for what never happens, on however slow a machine;
// that of unit tests (jest.config.mjs) is also the bound for work that grows faster than its input.
jest.setTimeout(300_000);
