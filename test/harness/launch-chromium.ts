import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** Finds a Chromium: `FIELDSTONE_CHROMIUM`, then PATH, then the usual path. */
export function findChromium(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'].filter(Boolean);
  const given = process.env['FIELDSTONE_CHROMIUM'];
  const candidates = given ? [given] : folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable);
}

/** Starts a headless Chromium; the caller closes it. Throws one clear sentence if Chromium is not found. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium found: install the chromium package or set FIELDSTONE_CHROMIUM to its path.');
  return chromium.launch({ executablePath, headless: true, args: flags });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
