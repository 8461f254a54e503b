import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';

const day = { seconds: 24 * 60 * 60 } as never;

/**
 * Registers a new Temporal namespace, so that workers of two databases do not take each other's work. Resolves when it
 * can be used.
 */
export async function registerNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const { workflowService } = connection;
  try {
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
    const end = Date.now() + 60_000;
    for (;;) {
      try {
        await workflowService.listOpenWorkflowExecutions({ namespace });
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(100);
      }
    }
  } finally {
    await connection.close();
  }
}
