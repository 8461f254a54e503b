// The page that approves a request of the command line for an API key. It needs the session of the dashboard, and its calls alone.

const find = (selector) => document.querySelector(selector);
const sections = [...document.querySelectorAll('main > section')];
/** The code is in the fragment, which browsers do not send. */
let code = decodeURIComponent(location.hash.slice(1));

/** Calls the server and returns the `data` of the reply. Throws an Error with the server's message, and the HTTP status as `status`. */
async function call(path) {
  const response = await fetch(`/dashboard/api/key-requests/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const reply = await response.json();
  if (!response.ok) throw Object.assign(new Error(reply.error.message), { status: response.status });
  return reply.data;
}

function show(id, message = '') {
  for (const section of sections) section.hidden = section.id !== id;
  find('#status').textContent = message;
  if (id !== '') find(`#${id} input`)?.focus();
}

function showRequest(request) {
  code = request.code;
  find('#shown-code').textContent = request.code;
  find('#name').textContent = request.name;
  find('#address').textContent = request.address;
  find('#sites').textContent = request.sites.includes('*') ? 'every site of yours' : request.sites.join(', ');
  const items = request.scopes.map(({ description }) =>
    Object.assign(document.createElement('li'), { textContent: description }),
  );
  find('#scopes').replaceChildren(...items);
  show('request');
}

async function inspect() {
  try {
    showRequest(await call('inspect'));
  } catch (error) {
    if (error.status !== 401) throw error;
    show('sign-in');
  }
}

/** Runs `work` when the form of a section is submitted, and shows errors in the form. */
function onSubmit(id, work) {
  const form = find(`#${id} form`);
  const run = async (task) => {
    const error = form.querySelector('.error');
    error.textContent = '';
    try {
      await task();
    } catch (problem) {
      error.textContent = problem.message;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(() => work(form));
  });
  return run;
}

const runCode = onSubmit('code', (form) => {
  code = form.elements.code.value;
  return inspect();
});
onSubmit('sign-in', inspect);
const runRequest = onSubmit('request', async () => {
  await call('approve');
  show('', 'Approved. The command line goes on by itself; you can close this page.');
});
find('#deny').addEventListener('click', () =>
  runRequest(async () => {
    await call('deny');
    show('', 'Denied. The command line gets no key.');
  }),
);

show('code');
find('#code input').value = code;
if (code !== '') await runCode(inspect);
