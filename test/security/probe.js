// Runs in the browser under test: loads hostile documents, triggers everything in them and records the effects.
const findings = { ran: [], bad: [] };
window.findings = findings;

const attributesOf = Object.getOwnPropertyDescriptor(Element.prototype, 'attributes').get;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Every document under test is loaded in its own frame, 40 at a time. */
window.loadDocuments = async (count, allowedTags, timeoutMs) => {
  const indexes = Array.from({ length: count }, (_, index) => index);
  for (let start = 0; start < count; start += 40) {
    await Promise.all(indexes.slice(start, start + 40).map((index) => loadDocument(index, allowedTags, timeoutMs)));
  }
  return findings;
};

async function loadDocument(index, allowedTags, timeoutMs) {
  const frame = document.createElement('iframe');
  const path = `/vector/${index}`;
  frame.src = path;
  const loaded = new Promise((resolve) => {
    frame.onload = resolve;
  });
  document.body.append(frame);
  await Promise.race([loaded, pause(timeoutMs)]);
  if (frame.contentDocument?.location.pathname === path) inspect(index, frame.contentDocument, allowedTags);
  else findings.bad.push(`${index} left its page`);
  await pause(20);
  frame.remove();
}

function inspect(index, page, allowedTags) {
  page.addEventListener('click', (event) => event.preventDefault());
  for (const element of page.body?.querySelectorAll('*') ?? []) {
    if (!allowedTags.includes(element.localName)) findings.bad.push(`${index} <${element.localName}>`);
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') findings.bad.push(`${index} foreign element`);
    for (const { name } of attributesOf.call(element)) {
      if (/^on|^style$/.test(name)) findings.bad.push(`${index} attribute ${name}`);
    }
    for (const url of [element.href, element.src, element.poster, element.cite]) {
      if (url && !/^(?:https?|mailto|tel|media):/.test(url)) findings.bad.push(`${index} URL ${url}`);
    }
    provoke(element);
  }
}

function provoke(element) {
  for (const type of ['mouseover', 'focus', 'toggle', 'animationstart', 'scroll']) {
    element.dispatchEvent(new Event(type, { bubbles: true }));
  }
  if (element instanceof element.ownerDocument.defaultView.HTMLElement) element.click();
}

/** Inserts every text through innerHTML, twice; returns how the browser serializes it. */
window.insertTexts = async (texts) => {
  const results = [];
  for (const text of texts) {
    const holder = document.createElement('div');
    document.body.append(holder);
    holder.innerHTML = text;
    const first = holder.innerHTML;
    holder.innerHTML = first;
    results.push({ first, second: holder.innerHTML });
    for (const element of holder.querySelectorAll('*')) element.dispatchEvent(new Event('mouseover'));
    await pause(2);
    holder.remove();
  }
  return results;
};
