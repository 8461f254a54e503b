import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { helm, project } from './render.ts';

const folder = path.join(project, 'k8s');

test('the rendering in k8s/ is what the chart makes of its values', () => {
  const rendered = readFileSync(path.join(folder, 'base/fieldstone/rendered.yaml'), 'utf8');
  const env = { ...process.env, HELM: helm };
  expect(execFileSync(path.join(folder, 'render.sh'), ['-'], { encoding: 'utf8', env })).toBe(rendered);
});

test.each(['cockroachdb', 'garage', 'temporal'])('pods of %s meet the restricted standard', (engine) => {
  const documents = parseAllDocuments(readFileSync(path.join(folder, `base/${engine}/${engine}.yaml`), 'utf8')).map(
    (one) => one.toJS(),
  );
  const pods = documents.map(({ spec }) => spec?.template?.spec).filter(Boolean);
  expect(pods.length).toBeGreaterThan(0);
  for (const pod of pods) {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    for (const { securityContext } of pod.containers) {
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
    }
  }
});
