import { escapeHtml } from '../../core/html.ts';
import { scopes as scopeTexts } from '../../core/scopes.ts';
import type { AuthorizationRequest } from '../../features/agents/index.ts';

/** A site that the user may choose. */
export interface SiteChoice {
  slug: string;
  name: string;
}

/** Renders a page. `body` is HTML in which values are already escaped. */
const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Fieldstone</title>
<link rel="stylesheet" href="/dashboard/connect.css">
</head>
<body>
<header>Fieldstone</header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;

const checkbox = (name: string, value: string, text: string, isChecked: boolean): string =>
  `<label><input type="checkbox" name="${name}" value="${escapeHtml(value)}"${isChecked ? ' checked' : ''}><span>${text}</span></label>`;

/** Describes where the browser is redirected afterwards. */
function destination(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : `a program on this device (${protocol})`;
}

/** Returns the page that shows a fault that cannot be reported to the client. */
export const faultPage = (message: string): string =>
  page('This request cannot be allowed', `<p class="error" role="alert">${escapeHtml(message)}</p>`);

interface ConsentView {
  request: AuthorizationRequest;
  email: string;
  sites: readonly SiteChoice[];
  /** Whether there are more sites than the list shows. */
  hasMore: boolean;
  /** The path of the form, with the query of the request. */
  action: string;
  /** The error of the submitted form. */
  fault?: string | undefined;
}

/** Returns the page on which the user chooses what the agent may do. */
export function consentPage({ request, email, sites, hasMore, action, fault }: ConsentView): string {
  const { client, redirectUri, scopes } = request;
  const scopeList = scopes.map((scope) =>
    checkbox('scope', scope, `<code>${scope}</code> ${escapeHtml(scopeTexts[scope])}`, scope !== 'admin'),
  );
  const siteList = sites.map(({ slug, name }) =>
    checkbox('site', slug, `${escapeHtml(name)} <small>${escapeHtml(slug)}</small>`, sites.length === 1),
  );
  const every = checkbox('site', '*', 'Every site that you can use, also later ones', false);
  return page(
    'Connect an agent',
    `${fault ? `<p class="error" role="alert">${escapeHtml(fault)}</p>` : ''}
<p><strong>${escapeHtml(client.name)}</strong> asks to work on your sites, as you, within what you choose here. The name is
what the agent says of itself. You are signed in as ${escapeHtml(email)}.</p>
<p>Allowing this leads to <strong>${escapeHtml(destination(redirectUri))}</strong>${
      client.id.startsWith('http') ? `; the agent is described at ${escapeHtml(client.id)}` : ''
    }. Go on only if you started this.</p>
<form method="post" action="${escapeHtml(action)}">
<fieldset><legend>It may</legend>${scopeList.join('\n')}</fieldset>
<fieldset><legend>On these sites</legend>${[every, ...siteList].join('\n')}${hasMore ? '<small>More sites exist than are shown.</small>' : ''}</fieldset>
<p class="buttons"><button name="decision" value="allow">Allow</button> <button class="plain" name="decision" value="deny">Deny</button></p>
</form>
<p><small>Your roles limit the agent at every request. You can revoke this at any time in the dashboard.</small></p>`,
  );
}

/** The style sheet of these pages, in the colours of the dashboard. */
export const connectCss = `:root {
  color-scheme: light dark;
  --ink: light-dark(#22261f, #e8e6df);
  --quiet: light-dark(#5d6357, #a9ada1);
  --ground: light-dark(#faf9f5, #191b18);
  --line: light-dark(#8c9285, #6c7266);
  --accent: light-dark(#2f5d45, #8fc4a4);
  --on-accent: light-dark(#fff, #14201a);
  --error: light-dark(#a3281d, #ff9d90);
  font: 1rem / 1.5 system-ui, sans-serif;
  color: var(--ink);
  background: var(--ground);
}
body { margin: 0 auto; max-width: 36rem; padding: 1rem 1.25rem 4rem; overflow-wrap: anywhere; }
header { font-weight: 600; color: var(--accent); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 2rem 0 1rem; }
a { color: var(--accent); }
form { display: grid; gap: 1rem; }
fieldset { display: grid; gap: 0.4rem; border: 1px solid var(--line); border-radius: 4px; padding: 0.75rem 1rem; }
label { display: flex; gap: 0.6rem; align-items: baseline; }
small { color: var(--quiet); }
button { font: inherit; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 4px; padding: 0.5rem 0.9rem; cursor: pointer; }
button.plain { color: var(--accent); background: none; text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.error { color: var(--error); }
`;
