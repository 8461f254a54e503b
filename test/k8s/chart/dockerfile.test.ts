import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseDockerfile, parsePairs } from '../dockerfile.ts';
import { project } from './render.ts';

const stages = parseDockerfile(readFileSync(path.join(project, 'Dockerfile'), 'utf8'));
const last = stages.at(-1)!;
const told = (name: string) => last.instructions.filter((one) => one.name === name).map(({ text }) => text);

test('the image runs without root, with a health check and the labels of the OCI', () => {
  expect(told('USER')).toEqual(['10001:10001']);
  expect(told('HEALTHCHECK')[0]).toContain('/healthz');
  const labels = Object.fromEntries(parsePairs(told('LABEL')[0]!));
  expect(Object.keys(labels)).toEqual(
    expect.arrayContaining([
      'org.opencontainers.image.licenses',
      'org.opencontainers.image.version',
      'org.opencontainers.image.revision',
    ]),
  );
});

test('the image has the Node that the tests run on', () => {
  expect(stages[0]!.from).toBe(`node:${process.versions.node}-bookworm-slim`);
});

test('the image and the chart have the version of the package', () => {
  const { version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as { version: string };
  expect(told('ARG')).toContain(`VERSION=${version}`);
  expect(readFileSync(path.join(project, 'charts/fieldstone/Chart.yaml'), 'utf8')).toContain(
    `appVersion: ${version}\n`,
  );
});

test('an instruction that cannot be performed is refused rather than passed over', () => {
  expect(() => parseDockerfile('FROM debian\nADD a b')).toThrow('ADD');
});
