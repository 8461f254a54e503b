// Bundles the workflow definitions into the cache folder (XDG_CACHE_HOME). The image does this once for all workers.
import { createLogger } from '../services/core/log.ts';
import { loadWorkflowBundle } from '../services/engines/actors/temporal/workflow-bundle.ts';

const { code } = await loadWorkflowBundle(createLogger('bundle', 'info'));
process.stdout.write(`workflow bundle: ${code.length} characters\n`);
