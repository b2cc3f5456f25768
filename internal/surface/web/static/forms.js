// The forms of the page, which work without this: with it, what they change is shown in place.

import { ask, byId, complain, make, refreshAll, replace, send, showEnd } from "./dom.js";

/**
 * Shows what a command answered: at the end of a chat, or where it was given.
 * @param {DocumentFragment} answer
 * @param {Element} form
 */
export function showAnswer(answer, form) {
	const fresh = answer.firstElementChild, old = byId("answer", HTMLElement);
	if (!(fresh instanceof HTMLElement)) return;
	const transcript = byId("transcript", HTMLElement);
	(old?.closest("#transcript > li") ?? old)?.remove();
	if (transcript) transcript.append(make("li", {}, fresh)); // what is said later stands below it
	else (form.closest("section, .panel, li") ?? form).after(fresh);
	fresh.scrollIntoView({ block: "nearest" });
}

/** Gets a section of the house anew. @param {Element} section */
async function refreshSection(section) {
	const fresh = (await ask(location.href, "")).querySelector(`#${section.id}`);
	if (fresh) replace(section, fresh);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function submit(form, submitter) {
	const isCommand = form.matches(".command");
	if (form.matches(".pick")) showEnd(); // what comes of it stands there
	const answer = await send(form, isCommand || form.matches(".pick") ? "answer" : "none", submitter); // a choice can be a command
	const section = form.closest("section[id]");
	if (section) await refreshSection(section);
	if (answer.hasChildNodes() && !form.matches(".switch")) {
		showAnswer(answer, section ? document.getElementById(section.id) ?? form : form);
		form.ariaBusy = "false"; // another button of it can be pressed
	}
	await refreshAll();
}

/** Takes over the forms of a view, those that come later, too. */
export function start() {
	document.addEventListener("submit", (e) => {
		const form = e.target;
		if (!(form instanceof HTMLFormElement) || !form.matches(".command, .decide, .pick, .tick, #stop")) return;
		e.preventDefault();
		if (form.ariaBusy === "true") return; // pressed twice
		form.ariaBusy = "true";
		if (form.matches(".tick")) e.submitter?.focus({ preventScroll: true }); // not every browser does by itself: see keepingEnd
		complain(null);
		submit(form, e.submitter).catch(complain).finally(() => form.ariaBusy = "false");
	});
}
