// Bundles the workflow definitions into the cache folder (XDG_CACHE_HOME), as the image does once for all its workers.
import { createLogger } from '../services/core/log.ts';
import { loadWorkflowBundle } from '../services/engines/actors/temporal/workflow-bundle.ts';

const { code } = await loadWorkflowBundle(createLogger('bundle', 'info'));
process.stdout.write(`workflow bundle: ${code.length} characters\n`);
