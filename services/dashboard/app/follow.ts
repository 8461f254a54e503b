import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callOwn } from './api.ts';

const reconnectMs = 5_000;

/**
 * Reads a record of the dashboard's own calls and follows it with server-sent events (`follow` of `dashboardRoute`). The browser connects
 * again automatically; where the service refuses the connection, the client tries again after 5 seconds.
 */
export function useFollowed<T>(key: readonly string[], path: string) {
  const client = useQueryClient();
  const name = key.join('\n');
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: number | undefined;
    const open = () => {
      source = new EventSource(`/dashboard/api${path}`);
      source.onmessage = ({ data }: MessageEvent<string>) => client.setQueryData(name.split('\n'), JSON.parse(data));
      source.onerror = () => {
        if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(open, reconnectMs);
      };
    };
    open();
    return () => {
      source?.close();
      window.clearTimeout(timer);
    };
  }, [client, name, path]);
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<T>(key);
      const record = await callOwn<T>('GET', path, undefined, signal);
      // an event that arrived meanwhile may be newer than the response
      const now = client.getQueryData<T>(key);
      return now === undefined || now === before ? record : now;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
