import { jest } from '@jest/globals';

// Tests against engines end when the awaited event has happened. The timeout is for events that never happen, on a
// machine of any speed; that of unit tests (jest.config.mjs) also detects work that grows faster than its input.
jest.setTimeout(300_000);
