let token = '';

/**
 * Returns the token of a link. It is in the fragment, which browsers do not send; the first call removes it from the address bar and
 * from the history.
 */
export function takeToken(): string {
  if (window.location.hash !== '') {
    token = window.location.hash.slice(1);
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }
  return token;
}
