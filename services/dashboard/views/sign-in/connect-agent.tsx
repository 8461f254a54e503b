import { useEffect } from 'react';
import { Pending } from '../../parts/pending.tsx';

/**
 * Leads a person who has signed in back to the consent page of agents, which the gateway renders (services/gateway/oauth). The query of
 * that page is in the fragment, in base64url: the router would rewrite a query.
 */
export default function ConnectAgent() {
  useEffect(() => {
    const query = atob(window.location.hash.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    window.location.replace(`/dashboard/connect${query}`);
  }, []);
  return <Pending />;
}
