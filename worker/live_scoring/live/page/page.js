"use strict";
// Swaps in what the page says now. Without this script the page loads itself anew.
const live = document.getElementById("live");
const news = document.getElementById("news");
const silence = document.getElementById("silence");
const milliseconds = 1000 * Number(live.dataset.seconds);

async function read() {
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(2 * milliseconds) });
  if (answer.status === 401) location.reload(); // the session has ended: the form asks anew
  if (!answer.ok) throw new Error(answer.status);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function swap(fresh) {
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const address = focused && focused.getAttribute("href");
  live.replaceChildren(...fresh.getElementById("live").childNodes);
  if (document.title !== fresh.title) news.textContent = document.title = fresh.title;
  document.querySelector("link[rel=icon]").href = fresh.querySelector("link[rel=icon]").href;
  const links = [...live.querySelectorAll("a")];
  const same = address && links.find((link) => link.getAttribute("href") === address);
  if (same) same.focus({ preventScroll: true });
}

function fallSilent() {
  if (!silence.hidden) return;
  silence.textContent = `This worker has not answered since ${new Date().toLocaleTimeString()}.`;
  silence.hidden = false;
}

async function show() {
  try {
    swap(await read());
    silence.hidden = true;
  } catch {
    fallSilent();
  }
}

async function refresh() {
  const isSelecting = getSelection().type === "Range";
  if (!document.hidden && !isSelecting) await show();
  setTimeout(refresh, milliseconds);
}

setTimeout(refresh, milliseconds);
document.addEventListener("visibilitychange", () => document.hidden || show());
