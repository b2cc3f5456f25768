// The forms of the page, which work without this: with it, what they change is shown in place.

import { refresh, replace, say, send } from "./dom.js";

/** The parts of views that a command can change. */
const panels = ["tools-panel", "story-panel", "chats-panel", "house-panel"];

/** Shows what a command answered. @param {DocumentFragment} answer */
function showAnswer(answer) {
	const fresh = answer.firstElementChild, old = document.getElementById("answer");
	if (!fresh || !old) return;
	replace(old, fresh);
	if (fresh instanceof HTMLElement) {
		fresh.hidden = false;
		fresh.scrollIntoView({ block: "nearest" });
	}
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
async function submit(form, submitter) {
	const isCommand = form.matches(".command");
	const answer = await send(form, isCommand ? "answer" : "none", submitter);
	if (isCommand) showAnswer(answer);
	await Promise.all(panels.map((id) => refresh(id)));
}

/** Takes over the forms of a view, those that come later, too. */
export function start() {
	document.addEventListener("submit", (e) => {
		const form = e.target;
		if (!(form instanceof HTMLFormElement) || !form.matches(".command, .decide, .pick, #stop")) return;
		e.preventDefault();
		if (form.ariaBusy === "true") return; // pressed twice
		form.ariaBusy = "true";
		submit(form, e.submitter).catch((e) => say(e.message)).finally(() => form.ariaBusy = "false");
	});
}
