/** The token of a link. It is in the fragment, which browsers do not send, and is removed from the address bar immediately. */
const token = location.pathname.endsWith('/link') ? location.hash.slice(1) : '';
if (location.hash) history.replaceState(null, '', location.pathname);

const sections = [...document.querySelectorAll('main > section')];
const status = document.querySelector('#status');
const find = (selector) => document.querySelector(selector);

/** Calls the server and returns the `data` of the reply. Throws an Error with the server's message, and the HTTP status as `status`. */
async function call(method, path, body) {
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const reply = await response.json();
  if (!response.ok) throw Object.assign(new Error(reply.error.message), { status: response.status });
  return reply.data;
}

function show(id, message = '') {
  for (const section of sections) section.hidden = section.id !== id;
  status.textContent = message;
  document.querySelector(`#${id} input`)?.focus();
}

/** Calls `send` with the values when the form is submitted, and shows errors in the form. */
function onSubmit(selector, send) {
  const form = find(selector);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const [error, button] = [form.querySelector('.error'), form.querySelector('button')];
    error.textContent = '';
    button.disabled = true;
    try {
      const values = [...new FormData(form)].filter(([, value]) => value !== '');
      await send(Object.fromEntries(values));
      form.reset();
    } catch (problem) {
      error.textContent = problem.message;
    } finally {
      button.disabled = false;
    }
  });
}

/** Shows the next step after a password or a link. */
async function goOn({ next }) {
  if (next === 'totp') return show('totp');
  history.replaceState(null, '', '/dashboard');
  await showAccount();
}

function listItem(text, detail) {
  const item = document.createElement('li');
  item.append(text);
  if (detail) item.append(Object.assign(document.createElement('small'), { textContent: detail }));
  return item;
}

function describeRoles({ administrator, roles }) {
  const all = roles.map(({ site, role }) => (site === '*' ? `${role} of every site` : `${role} of ${site}`));
  if (administrator) all.unshift('administrator of the installation');
  return all.length > 0 ? all : ['No role on any site.'];
}

const readTime = (text) => new Date(text).toLocaleString();

function sessionItem({ id, current, address, user_agent, seen_at }) {
  const detail = `${user_agent || 'unknown program'}; last used ${readTime(seen_at)}`;
  const item = listItem(current ? `${address} (this session)` : address, detail);
  if (!current) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'End this session' });
    button.addEventListener(
      'click',
      act(async () => {
        await call('DELETE', `/sessions/${id}`);
        await showAccount();
      }),
    );
    item.append(button);
  }
  return item;
}

async function showAccount() {
  const me = await call('GET', '/me');
  const { sessions } = await call('GET', '/sessions');
  find('#account h1').textContent = me.name ?? me.email;
  find('#account .email').textContent = me.email;
  find('#current-password').hidden = !me.has_password;
  find('#roles').replaceChildren(...describeRoles(me).map((text) => listItem(text)));
  find('#sessions').replaceChildren(...sessions.map(sessionItem));
  show('account');
}

/** Returns the handler of a button, which runs `work` and shows errors. */
function act(work) {
  return async () => {
    try {
      await work();
    } catch (problem) {
      if (problem.status === 401) show('sign-in', 'You are signed out.');
      else status.textContent = problem.message;
    }
  };
}

async function openLink() {
  const link = await call('POST', '/links/inspect', { token });
  const section = link.kind === 'sign_in' ? 'sign-in-link' : 'set-password';
  find(`#${section} .email`).textContent = link.email;
  find('#set-password [name=name]').value = link.name ?? '';
  show(section);
}

onSubmit('#sign-in form', async (values) => goOn(await call('POST', '/sign-in', values)));
onSubmit('#totp form', async (values) => goOn(await call('POST', '/sign-in/totp', values)));
onSubmit('#sign-in-link form', async () => goOn(await call('POST', '/links/accept', { token })));
onSubmit('#set-password form', async (values) => goOn(await call('POST', '/links/accept', { ...values, token })));
onSubmit('#reset form', async (values) => {
  await call('POST', '/links/reset', values);
  show('sign-in', 'If there is an account with this address, a link is on its way.');
});
onSubmit('#change-password', async (values) => {
  await call('POST', '/me/password', values);
  await showAccount();
  status.textContent = 'The password is set. Other sessions have ended.';
});
find('#forgot').addEventListener('click', () => show('reset'));
find('#sign-out').addEventListener(
  'click',
  act(async () => {
    await call('POST', '/sign-out');
    show('sign-in', 'You are signed out.');
  }),
);
find('#sign-out-everywhere').addEventListener(
  'click',
  act(async () => {
    await call('DELETE', '/sessions');
    show('sign-in', 'You are signed out everywhere.');
  }),
);

try {
  if (token) await openLink();
  else await showAccount();
} catch (problem) {
  show('sign-in', problem.status === 401 ? '' : problem.message);
}
