import { expect, test } from '@jest/globals';
import { noteOfSharedHost } from '../../../services/cli/shared-host-note.ts';

test.each([
  ['https://cms.example.com', 'https://cms.example.com:8443'],
  ['https://cms.example.com', 'http://CMS.example.com.'],
  ['http://10.0.0.7:8080', 'http://10.0.0.7:8081'],
])('the dashboard at %s and sites at %s share a host name', (url, edgeUrl) => {
  expect(noteOfSharedHost({ url, edgeUrl })).toContain('Set FIELDSTONE_EDGE_URL to another host name.');
});

test.each([
  ['https://cms.example.com', 'https://sites.example.com'],
  ['http://localhost:8080', 'http://localhost:8081'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
])('the dashboard at %s and sites at %s need no note', (url, edgeUrl) => {
  expect(noteOfSharedHost({ url, edgeUrl })).toBeUndefined();
});
