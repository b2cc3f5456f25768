// The chat: what is said appears as it happens, and a reply while it is written.

import { ask, byId, chat, complain, parse, refresh, replace, say, showEnd, withdraw, word } from "./dom.js";
import { follow } from "./stream.js";
import { notify } from "./notify.js";

/** @typedef {import("./stream.js").Happening} Happening */

const transcript = byId("transcript", HTMLElement);
const draft = byId("draft", HTMLElement);
const stop = byId("stop", HTMLFormElement);

let seq = Number(document.body.dataset["seq"] ?? 0);

/** Whether the end of the page is read. */
function isAtEnd() {
	const root = document.documentElement;
	return root.scrollHeight - root.scrollTop - root.clientHeight < 80;
}

/** Does something, and keeps who reads the end of the page there, but for who ticks a list off. @param {() => void} change */
function keepingEnd(change) {
	const end = isAtEnd() && !document.activeElement?.matches(".tick *");
	change();
	if (end) showEnd();
}

/** Keeps who reads the end of the page there when the window changes, as a phone is turned, and when a picture has come. */
function keepEndOfWindow() {
	let end = true;
	const keep = () => { if (end) showEnd(); };
	addEventListener("scroll", () => end = isAtEnd(), { passive: true });
	addEventListener("resize", keep);
	transcript?.addEventListener("load", keep, { capture: true });
}

/** Shows or hides the reply that is being written. @param {Happening} event */
function showDraft(event) {
	if (!draft) return;
	const settled = draft.querySelector(".settled"), tail = draft.querySelector(".tail");
	if (event.restart) settled?.replaceChildren();
	if (event.settled) settled?.append(parse(event.settled));
	tail?.replaceChildren(event.tail ? parse(event.tail) : "");
	draft.hidden = !settled?.hasChildNodes() && !event.tail;
}

/**
 * Whether what was written is over. It stands there until the item that it has become takes its place: a page that gets shorter in
 * between would move who reads further up.
 */
let draftIsOver = false;

function hideDraft() {
	draftIsOver = false;
	showDraft({ type: "draft", restart: true });
}

/** Puts an item into its place. @param {Happening} event */
function putItem(event) {
	const fresh = parse(event.html ?? "").firstElementChild;
	if (!fresh || !transcript) return;
	const old = event.id ? document.getElementById(event.id) : null;
	if (old) replace(old, fresh);
	else transcript.append(fresh);
	transcript.querySelector(".item.empty")?.remove();
}

/** Shows whether hob is at work, and for what it waits. @param {Happening} event */
function showState(event) {
	const waits = byId("waits", HTMLElement);
	if (stop) stop.hidden = !event.running;
	if (waits) {
		const text = event.text || (event.questions ? word("above") : event.running ? word("writes") : "");
		waits.textContent = text;
		waits.hidden = !text;
	}
	document.body.dataset["running"] = String(event.running ?? false);
	say(event.text || (event.questions ? word("asks") : event.running ? word("writes") : ""));
	if (!event.running) hideDraft();
}

/** Shows whether the page hears from hob. @param {boolean} connected */
function showConnection(connected) {
	const lost = byId("lost", HTMLElement);
	if (lost && lost.hidden !== connected) keepingEnd(() => lost.hidden = connected);
	if (connected) withdraw(word("offline"));
}

/** Shows a note that calls the person where they do not see its chat. @param {Happening} event */
function showCall(event) {
	const note = parse(event.html ?? "").querySelector(".item[data-loud] .text");
	if (note) complain(note.textContent);
}

/** @param {Happening} event */
function hear(event) {
	switch (event.type) {
	case "item":
		if (event.again) { // what it tells of has changed since
			const old = event.id ? document.getElementById(event.id) : null;
			if (old) keepingEnd(() => putItem(event));
			break;
		}
		if (event.seq && event.seq <= seq && (!transcript || event.id && document.getElementById(event.id))) return; // it is there already
		seq = Math.max(seq, event.seq ?? 0);
		keepingEnd(() => {
			if (draftIsOver) hideDraft();
			putItem(event);
		});
		notify(event);
		if (!transcript) showCall(event);
		break;
	case "draft":
		draftIsOver = Boolean(event.restart && !event.settled && !event.tail);
		if (!draftIsOver) keepingEnd(() => showDraft(event));
		break;
	case "state":
		keepingEnd(() => showState(event));
		break;
	case "story":
		if (event.open || document.querySelector("#story-panel h2")) refresh("story-panel").catch(complain);
		break;
	case "reset":
		location.reload();
		break;
	case "gone":
		location.assign("/sign-in");
		break;
	case "lost":
	case "found":
		showConnection(event.type === "found");
		break;
	case "refused":
		// What a stream is refused for, a request is told.
		ask(`/?${new URLSearchParams({ chat })}`, "chats-panel").then(() => complain(word("offline")), complain);
	}
}

/** Begins to follow the chat. */
export function start() {
	if (!chat) return; // nobody is signed in
	follow(hear, () => seq);
	if (!transcript) return;
	showEnd();
	keepEndOfWindow();
}
