interface Container {
  name: string;
  image: string;
  restartPolicy?: string;
}

/** The members of a pod that are used here. */
export interface Pod {
  metadata: { name: string; namespace: string; deletionTimestamp?: string };
  spec: { nodeName?: string; restartPolicy?: string; initContainers?: Container[]; containers: Container[] };
  status?: { phase?: string };
}

const timestamp = (now: Date) => `${now.toISOString().slice(0, 19)}Z`;

/** Returns the status of a node that is ready and has room for everything. */
export function describeNode(now: Date): object {
  const time = timestamp(now);
  const room = { cpu: '64', memory: '256Gi', pods: '250', 'ephemeral-storage': '1Ti' };
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Pretended',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  };
  return { capacity: room, allocatable: room, conditions: [ready] };
}

/**
 * Returns the status of a pod whose containers all run, or have all succeeded. Native sidecars run as long as the pod
 * does.
 */
export function describePod({ spec }: Pod, phase: 'Running' | 'Succeeded', now: Date): object {
  const time = timestamp(now);
  const running = { running: { startedAt: time } };
  const done = { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } };
  const current = phase === 'Running' ? running : done;
  const isReady = phase === 'Running';
  const describe = ({ name, image }: Container, state: object) => ({
    name,
    image,
    imageID: 'pretended',
    ready: isReady || state === done,
    started: isReady,
    restartCount: 0,
    state,
  });
  const condition = (type: string, holds: boolean) => ({
    type,
    status: holds ? 'True' : 'False',
    reason: holds ? 'Pretended' : 'PodCompleted',
    lastTransitionTime: time,
  });
  return {
    phase,
    startTime: time,
    hostIP: '127.0.0.1',
    podIP: '127.0.0.1',
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', isReady),
      condition('Ready', isReady),
    ],
    initContainerStatuses: (spec.initContainers ?? []).map((one) =>
      describe(one, one.restartPolicy === 'Always' ? current : done),
    ),
    containerStatuses: spec.containers.map((one) => describe(one, current)),
  };
}
