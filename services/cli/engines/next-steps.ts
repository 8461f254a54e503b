import type { EngineRecord } from '../../engines/record/record.ts';
import type { Installation } from '../installation.ts';

const list = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');

/** Returns the settings that the engines need and that are not set. */
function listMissingSettings({ actors, objects, fallback }: EngineRecord, { config }: Installation): string[] {
  const namesOf = (prefix: string, { endpoint, accessKey, secretKey }: typeof config.s3) => [
    ...(endpoint ? [] : [`${prefix}_ENDPOINT`]),
    ...(accessKey ? [] : [`${prefix}_ACCESS_KEY`]),
    ...(secretKey ? [] : [`${prefix}_SECRET_KEY`]),
  ];
  return [
    ...(actors === 'temporal' && !config.temporalAddress ? ['TEMPORAL_ADDRESS'] : []),
    ...(objects === 's3' ? namesOf('S3', config.s3) : []),
    ...(fallback === 's3' ? namesOf('FALLBACK_S3', config.fallbackS3) : []),
  ];
}

/** Returns the settings of engines that are no longer used. */
function listNeedlessSettings({ actors, objects }: EngineRecord, { config }: Installation): string[] {
  return [
    ...(actors === 'embedded' && config.temporalAddress ? ['TEMPORAL_ADDRESS'] : []),
    ...(objects === 'files' && config.s3.endpoint ? ['S3_ENDPOINT'] : []),
  ];
}

/** Returns the steps before and after the service starts on its new engines, as sentences. */
export function listNextSteps(record: EngineRecord, missing: number, installation: Installation): string[] {
  const { config, service } = installation;
  const data = config.dataDir ? ` --data ${config.dataDir}` : '';
  const missingSettings = listMissingSettings(record, installation);
  const needless = listNeedlessSettings(record, installation);
  const steps: string[] = [];
  if (missingSettings.length > 0) steps.push(`Set ${list(missingSettings)} before the service starts.`);
  if (missingSettings.includes('TEMPORAL_ADDRESS') && config.dataDir) {
    steps.push(`Or start it with fieldstone up --temporal${data}, which starts its own Temporal server.`);
  }
  if (needless.length > 0) steps.push(`Unset ${list(needless)} before the service starts.`);
  if (record.fallback !== null) {
    steps.push(
      `${missing} objects are not known to be in the new store: reads fall back to the one before until ` +
        `fieldstone objects copy --from ${record.fallback} --to ${record.objects}${data} has found nothing missing.`,
    );
  }
  if (service === 'unknown') {
    steps.push('Make sure that no gateway, worker or edge was running: that cannot be seen from here.');
  }
  return steps;
}
