// The forms of the page, which work without this: with it, what they change is shown in place.

import { ask, byId, complain, refreshAll, replace, send } from "./dom.js";

/**
 * Shows what a command answered: below a chat, or where it was given.
 * @param {DocumentFragment} answer
 * @param {Element} form
 */
export function showAnswer(answer, form) {
	const fresh = answer.firstElementChild, old = byId("answer", HTMLElement);
	if (!(fresh instanceof HTMLElement)) return;
	const log = byId("log", HTMLElement);
	old?.remove();
	if (log) log.after(fresh);
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
	const answer = await send(form, isCommand ? "answer" : "none", submitter);
	const section = form.closest("section[id]");
	if (section) await refreshSection(section);
	if (isCommand && !form.matches(".switch")) {
		showAnswer(answer, section ? document.getElementById(section.id) ?? form : form);
		form.ariaBusy = "false"; // another button of it can be pressed
	}
	await refreshAll();
}

/** Takes over the forms of a view, those that come later, too. */
export function start() {
	document.addEventListener("submit", (e) => {
		const form = e.target;
		if (!(form instanceof HTMLFormElement) || !form.matches(".command, .decide, .pick, #stop")) return;
		e.preventDefault();
		if (form.ariaBusy === "true") return; // pressed twice
		form.ariaBusy = "true";
		complain(null);
		submit(form, e.submitter).catch(complain).finally(() => form.ariaBusy = "false");
	});
}
